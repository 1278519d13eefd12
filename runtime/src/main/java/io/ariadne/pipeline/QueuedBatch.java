package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.spill.SpillableBatch;

/**
 * A batch that waits for a driver or, as output, for a consumer, in any tier. Used by one thread at
 * a time, which need not hold the fragment's lock.
 */
public final class QueuedBatch implements AutoCloseable {
  private final SpillableBatch batch;
  private final BufferAllocator allocator;

  /**
   * Takes ownership of a spillable batch.
   *
   * @param allocator allocates the batch when it is read back
   */
  QueuedBatch(SpillableBatch batch, BufferAllocator allocator) {
    this.batch = batch;
    this.allocator = allocator;
  }

  /** Returns whether the batch can be taken without waiting for a disk; a snapshot. */
  boolean isInMemory() {
    return batch.isInMemory();
  }

  /**
   * Passes ownership of the batch to the caller if it is in memory and no thread moves it; else
   * returns null. Does not block; the caller closes this when it may block.
   */
  RecordBatch takeIfInMemory() {
    return batch.takeIfInMemory();
  }

  /**
   * Passes ownership of the batch to the caller, reading it back if needed, which blocks.
   *
   * @throws io.ariadne.error.EngineException as {@link SpillableBatch#take}: the batch stays here
   */
  public RecordBatch take() {
    return batch.take(allocator);
  }

  @Override
  public void close() {
    batch.close();
  }
}
