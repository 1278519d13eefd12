package io.ariadne.pipeline;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillSpace;
import io.ariadne.spill.SpillableBatch;

/**
 * Keeps batches of a fragment that wait for a driver or for the task, each in the spill space of
 * its memory tier, which may spill it. Thread-safe.
 */
final class BatchQueue {
  private final BufferAllocator allocator;
  private final BufferAllocator kernelAllocator;
  private final SpillSpace spill;
  private final SpillSpace kernelSpill;

  /**
   * Creates the queue of a fragment.
   *
   * @param context the fragment's memory and spill spaces
   */
  BatchQueue(OperatorContext context) {
    this.allocator = context.allocator();
    this.kernelAllocator = context.kernelAllocator();
    this.spill = context.spill();
    this.kernelSpill = context.kernelSpill();
  }

  /** Returns whether queued batches may soon be spilled; a snapshot. */
  boolean isScarce() {
    return spill.isScarce() || kernelSpill.isScarce();
  }

  /**
   * Takes ownership of a batch. A batch whose columns are in different tiers is never spilled. A
   * batch that was spilled is read back ahead of its use, earlier ones first.
   *
   * @param placement how soon the batch is needed
   */
  QueuedBatch add(RecordBatch batch, SpillPlacement placement) {
    if (isIn(batch, allocator.tier())) {
      return queued(spill.add(batch, placement), allocator);
    }
    if (isIn(batch, kernelAllocator.tier())) {
      return queued(kernelSpill.add(batch, placement), kernelAllocator);
    }
    SpillSpace nowhere = SpillSpace.unmoved(kernelAllocator.tier());
    return new QueuedBatch(nowhere.add(batch, placement), kernelAllocator);
  }

  private static QueuedBatch queued(SpillableBatch batch, BufferAllocator readBackTo) {
    batch.prefetch();
    return new QueuedBatch(batch, readBackTo);
  }

  /** Returns whether all buffers of a batch are in host memory. */
  boolean isOnHost(RecordBatch batch) {
    return isIn(batch, allocator.tier());
  }

  private static boolean isIn(RecordBatch batch, MemoryTier tier) {
    for (int i = 0; i < batch.columnCount(); i++) {
      if (!isIn(batch.column(i), tier)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIn(ColumnVector column, MemoryTier tier) {
    boolean isThere = isIn(column.data(), tier) && isIn(column.validity(), tier);
    for (int i = 0; isThere && i < column.heaps().size(); i++) {
      isThere = isIn(column.heaps().get(i).buffer(), tier);
    }
    for (int i = 0; isThere && i < column.children().size(); i++) {
      isThere = isIn(column.children().get(i), tier);
    }
    return isThere && (column.dictionary() == null || isIn(column.dictionary().entries(), tier));
  }

  private static boolean isIn(MemoryBuffer buffer, MemoryTier tier) {
    return buffer == null || buffer.capacityInBytes() == 0 || buffer.tier() == tier;
  }
}
