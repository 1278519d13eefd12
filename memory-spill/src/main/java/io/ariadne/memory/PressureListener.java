package io.ariadne.memory;

/** Is told that a pool runs short, by whichever thread asked for memory: returns at once. */
public interface PressureListener {
  /**
   * Memory has become scarce: the pool's charge has gone over the threshold, a reservation waits
   * (see {@link MemoryPool#shortfall}), or an allocation that does not wait was refused.
   *
   * @param refusedBytes bytes of the allocation that was refused, else 0
   */
  void shortOf(long refusedBytes);
}
