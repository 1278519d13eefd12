package io.ariadne.compute;

/** A short piece of work, about 50 ms at most, that never waits for another one. */
public interface ComputeTask {
  /** Returns whose work this is; compared by identity. */
  Object owner();

  /** Returns how many breakers lie between this work's output and the output of its fragment. */
  int distance();

  /**
   * Does the work. Reports its failures to its owner; what it throws none the less is only logged.
   */
  void run();
}
