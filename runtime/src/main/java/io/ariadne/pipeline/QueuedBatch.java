package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.spill.SpillableBatch;

/**
 * A batch that waits for a driver or, as output, for whoever polls, in whichever tier it is. Used
 * by one thread at a time, which need not hold the fragment's lock.
 */
public final class QueuedBatch implements AutoCloseable {
  private final SpillableBatch batch;
  private final BufferAllocator allocator;

  /**
   * Takes ownership of a batch at rest.
   *
   * @param allocator where it comes back to
   */
  QueuedBatch(SpillableBatch batch, BufferAllocator allocator) {
    this.batch = batch;
    this.allocator = allocator;
  }

  /** Returns whether the batch can be had without waiting for a disk; a snapshot. */
  boolean isInMemory() {
    return batch.isInMemory();
  }

  /** Hands the batch over if it is in memory and nobody moves it, else returns null. */
  RecordBatch takeIfInMemory() {
    return batch.takeIfInMemory();
  }

  /**
   * Hands the batch over, read back if need be, which blocks.
   *
   * @throws io.ariadne.error.EngineException as {@link SpillableBatch#take}: the batch stays
   */
  public RecordBatch take() {
    return batch.take(allocator);
  }

  @Override
  public void close() {
    batch.close();
  }
}
