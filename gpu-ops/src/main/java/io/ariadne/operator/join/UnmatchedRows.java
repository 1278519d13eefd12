package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.operator.OperatorContext;

/** Puts out the rows of the build side that have no pair. */
final class UnmatchedRows {
  private final BuildMatches matches;
  private final int batchRows;
  private final OperatorContext context;
  private int next;

  UnmatchedRows(BuildMatches matches, int batchRows, OperatorContext context) {
    this.matches = matches;
    this.batchRows = batchRows;
    this.context = context;
    this.next = matches.nextUnmatched(0);
  }

  boolean isOver() {
    return next == matches.rowCount();
  }

  /** Returns the next rows, owned by the caller, or null at the end. */
  RecordBatch next(JoinOutput output) {
    if (isOver()) {
      return null;
    }
    long bytes = (long) batchRows * Integer.BYTES;
    try (MemoryBuffer rows = context.allocator().allocate(bytes)) {
      int count = 0;
      int row = next;
      while (count < batchRows && row < matches.rowCount()) {
        rows.putInt((long) count * Integer.BYTES, row);
        count++;
        row = matches.nextUnmatched(row + 1);
      }
      RecordBatch batch = batch(output, rows, count);
      next = row;
      return batch;
    }
  }

  private RecordBatch batch(JoinOutput output, MemoryBuffer rows, int count) {
    if (context.backend().tier() == MemoryTier.HOST) {
      return output.ofBuildRows(rows, count);
    }
    long bytes = (long) count * Integer.BYTES;
    try (MemoryBuffer copy = context.kernelAllocator().allocate(bytes)) {
      context.backend().write(rows.address(), copy, 0, bytes);
      return output.ofBuildRows(copy, count);
    }
  }
}
