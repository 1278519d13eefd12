package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.operator.OperatorContext;
import java.util.BitSet;

/**
 * Yields build rows once it is known which have a pair: rows without a pair, rows with one, or all
 * rows.
 */
final class MarkedRows implements AutoCloseable {
  private final JoinSpec spec;
  private final int rowCount;
  private final int batchRows;
  private final OperatorContext context;
  private GroupRowLists finding; // null once all rows are known
  private BitSet marked; // null until all rows are known
  private int next;

  /**
   * Prepares.
   *
   * @param matched which of the table's rows, or groups, have a pair
   * @param table stays its owner's, open as long as this is
   * @param batchRows the most rows of a batch
   */
  MarkedRows(
      JoinSpec spec, BitSet matched, JoinTable table, int batchRows, OperatorContext context) {
    this.spec = spec;
    this.rowCount = table.rowCount();
    this.batchRows = batchRows;
    this.context = context;
    if (table.marksGroups()) {
      finding = new GroupRowLists(matched, table.chains(), context, GroupRowLists.STEP);
    } else {
      marked = matched;
      next = following(0);
    }
  }

  /** Returns the first row to yield from a row number on; the number of rows for none. */
  private int following(int from) {
    return switch (spec.kind()) {
      case BUILD_SEMI -> {
        int row = marked.nextSetBit(from);
        yield row < 0 ? rowCount : row;
      }
      case BUILD_EXISTENCE -> from;
      default -> Math.min(marked.nextClearBit(from), rowCount);
    };
  }

  boolean isOver() {
    return finding == null && next == rowCount;
  }

  /**
   * Returns the next rows, owned by the caller; a batch without rows while the first rows are
   * searched for; null at the end.
   */
  RecordBatch next(JoinOutput output) {
    if (finding != null) {
      if (!finding.find()) {
        return NullColumns.emptyBatch(spec.output(), context.allocator());
      }
      marked = finding.rows();
      next = following(0);
      close();
    }
    if (isOver()) {
      return null;
    }
    long bytes = (long) batchRows * Integer.BYTES;
    try (MemoryBuffer rows = context.allocator().allocate(bytes)) {
      int count = 0;
      int row = next;
      while (count < batchRows && row < rowCount) {
        rows.putInt((long) count * Integer.BYTES, row);
        count++;
        row = following(row + 1);
      }
      RecordBatch batch = batch(output, rows, count);
      next = row;
      return batch;
    }
  }

  private RecordBatch batch(JoinOutput output, MemoryBuffer rows, int count) {
    if (context.backend().tier() == MemoryTier.HOST) {
      return output.ofBuildRows(rows, count, () -> bits(rows, count));
    }
    long bytes = (long) count * Integer.BYTES;
    try (MemoryBuffer copy = context.kernelAllocator().allocate(bytes)) {
      context.backend().write(rows.address(), copy, 0, bytes);
      return output.ofBuildRows(copy, count, () -> bits(rows, count));
    }
  }

  /** Returns a bit per listed row that says whether it has a pair, owned by the caller. */
  private MemoryBuffer bits(MemoryBuffer rows, int count) {
    MemoryBuffer bits =
        context.allocator().allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(count));
    for (int i = 0; i < count; i++) {
      if (marked.get(rows.getInt((long) i * Integer.BYTES))) {
        Bitmaps.set(bits.address(), i);
      }
    }
    return bits;
  }

  @Override
  public void close() {
    GroupRowLists closed = finding;
    finding = null;
    if (closed != null) {
      closed.close();
    }
  }
}
