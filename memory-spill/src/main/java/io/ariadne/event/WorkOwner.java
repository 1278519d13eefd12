package io.ariadne.event;

/**
 * The owner of work that threads run, such as a fragment of a query. Is told what the work costs.
 * Called by any thread, which holds no lock that the owner needs; returns at once.
 */
public interface WorkOwner {
  /** Returns a description for people. */
  String description();

  /** Returns when the work began, by {@link System#nanoTime}: the youngest work gives up first. */
  long startNanos();

  /** Returns whether the work is stopped: its threads end breakable waits. */
  default boolean isStopped() {
    return false;
  }

  /**
   * Sets up the environment that the work's code expects, on a thread that otherwise runs other
   * work; {@link #exit} restores the previous environment. Called in pairs, which may nest.
   */
  default void enter() {}

  /** Restores the environment before {@link #enter}. */
  default void exit() {}

  /**
   * Returns what buffers count for that a thread allocates while it works for a node; null when
   * they count for no work.
   *
   * @param node plan node, or -1
   */
  default MemoryUse memoryUse(int node) {
    return null;
  }

  /**
   * Notes that a thread has waited.
   *
   * @param node plan node that the thread worked for, or -1
   * @param kind what it waited for
   * @param nanos how long
   */
  void waited(int node, WaitKind kind, long nanos);

  /**
   * Notes that a batch was moved out of memory.
   *
   * @param node plan node that added the batch, or -1
   * @param bytes bytes of memory that are free now
   * @param diskBytes bytes that the batch takes on a disk, 0 when it is in another memory tier
   * @param nanos the batch's share of the time, on any thread
   */
  void spilled(int node, long bytes, long diskBytes, long nanos);

  /**
   * Notes that a batch was read back into memory.
   *
   * @param node plan node that added the batch, or -1
   * @param bytes bytes of memory that the batch takes
   * @param nanos the time
   */
  void readBack(int node, long bytes, long nanos);
}
