package io.ariadne.memory;

/** Keeps memory of a pool that nobody uses, for later, such as buffers for the next request. */
public interface Reclaimer {
  /**
   * Gives back what is kept, by any thread that lacks memory. Takes no lock that is held while
   * memory is asked for.
   *
   * @return bytes given back
   */
  long reclaim();
}
