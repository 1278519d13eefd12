package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedBytes;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.kernel.hash.DenseGroups;
import io.ariadne.operator.OperatorContext;

/** Counts the rows and bytes of a build side over all pipeline drivers. Thread-safe. */
final class BuildSize {
  private final HashJoin join;
  private final OperatorContext context;
  private long rowCount;
  private final RetainedBytes bytes = new RetainedBytes();
  private DenseGroups.Range range = DenseGroups.Range.NONE;

  BuildSize(HashJoin join, OperatorContext context) {
    this.join = join;
    this.context = context;
  }

  /**
   * Adds rows.
   *
   * @param keys the range of their keys; {@link DenseGroups.Range#NONE} when unknown
   */
  synchronized void add(RecordBatch batch, DenseGroups.Range keys) {
    rowCount += batch.rowCount();
    bytes.add(batch);
    range = range.with(keys);
  }

  synchronized long rowCount() {
    return rowCount;
  }

  synchronized long bytes() {
    return bytes.bytes();
  }

  /** Returns whether all rows are too large for one hash table; once true, always true. */
  synchronized boolean isTooLarge() {
    return join.isTooLarge(rowCount, bytes.bytes(), context);
  }

  /** Returns whether rows are partitioned; known after the last row. */
  synchronized boolean isPartitioned() {
    return isTooLarge() || isShared();
  }

  /**
   * Returns whether the table is built from hash table partitions on several threads; known after
   * the last row.
   */
  synchronized boolean hasParts() {
    return isPartitioned() && mayHaveParts();
  }

  /**
   * Returns whether building in parts pays; a table indexed by key value is cheap to build whole.
   */
  private boolean isShared() {
    return mayHaveParts()
        && rowCount >= join.limits(context).sharedRows()
        && !range.isClose(rowCount);
  }

  /**
   * Returns whether the back end gains from parts: one that uses many threads itself builds a whole
   * table as fast.
   */
  boolean mayHaveParts() {
    return context.backend().tier() == MemoryTier.HOST && !context.backend().isBlockParallel();
  }
}
