package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedBytes;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.kernel.hash.DenseGroups;
import io.ariadne.operator.OperatorContext;

/**
 * What is known of the build side of a join so far, in all threads of work together. Thread-safe.
 */
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
   * @param keys the range of their keys; of no values where that is not known
   */
  synchronized void add(RecordBatch batch, DenseGroups.Range keys) {
    rowCount += batch.rowCount();
    bytes.add(batch);
    range = range.with(keys);
  }

  synchronized long rowCount() {
    return rowCount;
  }

  /** Returns whether a table of all rows is larger than one may be; once it is, it stays so. */
  synchronized boolean isTooLarge() {
    return join.isTooLarge(rowCount, bytes.bytes(), context);
  }

  /** Returns whether rows are to be partitioned; after the last one. */
  synchronized boolean isPartitioned() {
    return isTooLarge() || isShared();
  }

  /** Returns whether several threads of work make a part of the table each; after the last row. */
  synchronized boolean hasParts() {
    return isPartitioned() && mayHaveParts();
  }

  /** Returns whether the table is worth being made in parts: by values it takes little. */
  private boolean isShared() {
    return mayHaveParts()
        && rowCount >= join.limits(context).sharedRows()
        && !range.isClose(rowCount);
  }

  /** Back ends of many threads make a table as fast as a whole. */
  boolean mayHaveParts() {
    return context.backend().tier() == MemoryTier.HOST && !context.backend().isBlockParallel();
  }
}
