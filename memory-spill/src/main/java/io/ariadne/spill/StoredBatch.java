package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecord;
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

  /**
   * Returns whether the batch stays in its store when it is read: with several readers a copy on
   * disk saves the write of the next move. One in host memory takes memory.
   */
  boolean stays(SpillPlacement placement) {
    return placement.isReadAgain() && tier() == MemoryTier.DISK;
  }

  /** Returns bytes of memory that the batch takes when it is read back. */
  long memoryBytes() {
    return block.memoryBytes();
  }

  /**
   * Reads the batch, and counts the read for the batch's work; the batch stays in the store. If the
   * allocator is a pool, reserves the memory before reading: a read that had to evict other batches
   * could wait for what it holds itself.
   *
   * @param to the tier of the allocator
   * @param origin of the batch
   * @return the batch, owned by the caller
   */
  RecordBatch readBack(BufferAllocator allocator, MemoryTier to, SpillOrigin origin) {
    long start = System.nanoTime();
    RecordBatch back = read(allocator);
    try {
      long bytes = memoryBytes();
      ThreadRecord thread = ThreadRecord.current();
      long nanos = thread.ended(EventKind.READ_BACK, start, bytes, tier(), to);
      origin.readBackBytes().addAndGet(bytes);
      if (origin.work() != null) {
        origin.work().readBack(origin.node(), bytes, nanos);
      }
      return back;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(back);
      closer.suppressIn(e);
      throw e;
    }
  }

  private RecordBatch read(BufferAllocator allocator) {
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
