package io.ariadne.spill.fuzz;

/** Says which calls of the system fail, and how long others take. Thread-safe. */
public interface FaultPlan {
  /**
   * Is asked before each call, on the thread that makes it, and may hold that up.
   *
   * @return whether the call fails
   */
  boolean strikes(Faults.Kind kind);

  /**
   * Is told how many bytes a call that does not fail is about to transfer, on the thread that makes
   * it, and may hold that up.
   */
  default void transfers(Faults.Kind kind, long bytes) {
    // takes no time
  }
}
