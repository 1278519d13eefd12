package io.ariadne.memory;

/** Is told that a pool runs short, by whichever thread asked for memory. */
public interface PressureListener {
  /**
   * Memory has become scarce: the pool's charge has gone over the threshold, a reservation waits
   * (see {@link MemoryPool#shortfall}), or an allocation that does not wait was refused. Returns at
   * once.
   *
   * @param refusedBytes bytes of the allocation that was refused, else 0
   */
  void shortOf(long refusedBytes);

  /**
   * Frees memory for an allocation that is about to be refused, on the thread that asks. May block
   * for as long as that takes. Called without a lock of the pool.
   *
   * @param requestedBytes what was asked for, at most the pool's limit
   * @return whether it is worth trying again: some memory is free that was not
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY with the reason why none can be freed
   */
  default boolean relieve(long requestedBytes) {
    return false;
  }

  /**
   * Moves memory out of the pool although its limit has room, since the source of the memory has
   * none, on the thread that asks. Waits for nobody but who moves already. Called without a lock of
   * the pool.
   *
   * @param wantedBytes how much is to be freed; it is less when no more may leave
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY with the reason why none can leave
   */
  default void moveOut(long wantedBytes) {}

  /** Memory of the pool has become free; called often, by any thread, perhaps with its locks. */
  default void freed() {}
}
