package io.ariadne.event;

/**
 * Whom a thread works for, such as a fragment of a query: is told what that cost. Called by any
 * thread, without locks of the caller that it could need; returns at once.
 */
public interface WorkOwner {
  /** Returns who it is, for people. */
  String description();

  /** Returns when it began, by {@link System#nanoTime}: the youngest is the first to give way. */
  long startNanos();

  /** Returns whether the work is given up: its threads end waits that can be ended. */
  default boolean isStopped() {
    return false;
  }

  /**
   * Puts the surroundings on the calling thread that the work's code expects, for a thread that
   * works for somebody else; {@link #exit} restores what it had before. In pairs, which may nest.
   */
  default void enter() {}

  /** Takes off what {@link #enter} has put on. */
  default void exit() {}

  /**
   * Returns what buffers count for that a thread asks pools for while it works for a node; null
   * when they count for no work.
   *
   * @param node plan node, or -1
   */
  default MemoryUse memoryUse(int node) {
    return null;
  }

  /**
   * A thread has waited.
   *
   * @param node plan node it worked for, or -1
   * @param kind for what
   * @param nanos how long
   */
  void waited(int node, WaitKind kind, long nanos);

  /**
   * A batch was moved out of memory.
   *
   * @param node plan node that put it at rest, or -1
   * @param bytes bytes of memory that are free now
   * @param diskBytes bytes that it takes on a disk, 0 when it has gone to another memory tier
   * @param nanos its share of the time, on whichever thread
   */
  void spilled(int node, long bytes, long diskBytes, long nanos);

  /**
   * A batch was read back into memory.
   *
   * @param node plan node that put it at rest, or -1
   * @param bytes bytes of memory that it takes
   * @param nanos the time
   */
  void readBack(int node, long bytes, long nanos);
}
