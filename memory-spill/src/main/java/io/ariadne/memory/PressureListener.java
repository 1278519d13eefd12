package io.ariadne.memory;

/** Is called when a pool runs short, by the thread that allocates. */
public interface PressureListener {
  /**
   * Notes that memory is scarce: the pool's charge has exceeded the threshold, a reservation waits
   * (see {@link MemoryPool#shortfall}), or an allocation is refused. Returns at once.
   *
   * @param refusedBytes bytes of the refused allocation, otherwise 0
   */
  void shortOf(long refusedBytes);

  /**
   * Frees memory for an allocation that does not fit, on the allocating thread, before a refusal.
   * May block for as long as that takes. Called without a lock of the pool.
   *
   * @param requestedBytes bytes of the allocation, at most the pool's limit
   * @return whether the allocation may succeed now: some memory has become free
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY with the reason why none can be freed
   */
  default boolean relieve(long requestedBytes) {
    return false;
  }

  /**
   * Moves batches out of the pool although its limit is not exceeded, because the source has no
   * memory left. Runs on the allocating thread. Waits only for threads that move batches already.
   * Called without a lock of the pool.
   *
   * @param wantedBytes bytes to free; fewer are freed when no more batches may go
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY with the reason why no batch may go
   */
  default void moveOut(long wantedBytes) {}

  /** Notes that memory of the pool is freed; called often, by any thread, which may hold locks. */
  default void freed() {}
}
