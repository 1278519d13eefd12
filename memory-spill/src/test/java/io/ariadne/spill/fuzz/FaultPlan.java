package io.ariadne.spill.fuzz;

/** Says which calls of the system fail. Thread-safe. */
public interface FaultPlan {
  /**
   * Is asked before each call, on the thread that makes it, and may hold that up.
   *
   * @return whether the call fails
   */
  boolean strikes(Faults.Kind kind);
}
