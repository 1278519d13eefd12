package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;

/**
 * A batch in a store.
 *
 * @param store where it is
 * @param block which one it is there; deleted once
 */
record StoredBatch(SpillStore store, SpillStore.Block block) {
  MemoryTier tier() {
    return store.tier();
  }

  /** Returns bytes of memory that the batch takes when it is read back. */
  long memoryBytes() {
    return block.memoryBytes();
  }

  /**
   * Reads the batch; it stays in the store. If the allocator is a pool, reserves the memory before
   * reading: a read that had to evict other batches could wait for what it holds itself.
   *
   * @return the batch, owned by the caller
   */
  RecordBatch read(BufferAllocator allocator) {
    if (allocator instanceof MemoryPool pool) {
      try (Reservation memory = pool.secure("batch read back", memoryBytes())) {
        return store.read(block, memory);
      }
    }
    return store.read(block, allocator);
  }

  /** Returns whether a read waits for no other tier, as {@link SpillStore#bringNearer} says. */
  boolean isNear(Runnable whenNear) {
    return store.bringNearer(block, whenNear);
  }

  void delete() {
    store.delete(block);
  }
}
