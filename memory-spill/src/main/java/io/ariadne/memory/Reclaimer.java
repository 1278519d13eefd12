package io.ariadne.memory;

/** Keeps idle memory of a pool for later, such as buffers for the next request. */
public interface Reclaimer {
  /**
   * Frees the idle memory. Called by any thread that lacks memory. Takes no lock that is held
   * during an allocation.
   *
   * @return bytes given back
   */
  long reclaim();
}
