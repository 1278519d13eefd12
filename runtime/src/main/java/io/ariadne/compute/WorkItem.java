package io.ariadne.compute;

/**
 * A short piece of work, about 50 ms at most, that never waits for another one; but for memory that
 * others are to free, which leaves them its place meanwhile ({@link io.ariadne.event.WorkPermit}).
 */
public interface WorkItem {
  /** Returns whose work this is; compared by identity. */
  Object owner();

  /** Returns how many breakers lie between this work's output and the output of its fragment. */
  int distance();

  /**
   * Returns which query the work is part of; compared with equals. Queries share the threads
   * evenly. Stays the same while the task is queued.
   */
  default Object query() {
    return owner();
  }

  /** Returns which partition of its query's data the work is about, at least 0. */
  default int partition() {
    return 0;
  }

  /**
   * Does the work. Reports its failures to its owner; what it throws none the less is only logged.
   */
  void run();
}
