package io.ariadne.operator.sort;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the {@link CommonCodes} of a sort: one for each string column that is not a key; keys are
 * compared by their values. Thread-safe.
 */
final class RunCodes implements AutoCloseable {
  /** One per column, null where rows keep values. */
  private final List<CommonCodes> columns = new ArrayList<>();

  private RunCodes() {}

  /** Creates codes for all string columns that are not keys. */
  static RunCodes of(SortSpec spec, BufferAllocator allocator) {
    RunCodes codes = new RunCodes();
    for (int c = 0; c < spec.schema().columnCount(); c++) {
      int column = c;
      boolean isString = spec.schema().field(c).type().defaultPhysicalType() == PhysicalType.VIEW16;
      boolean isKey = spec.columns().stream().anyMatch(key -> key.column() == column);
      codes.columns.add(isString && !isKey ? new CommonCodes(allocator) : null);
    }
    return codes;
  }

  /** Returns codes for no column. */
  static RunCodes none(SortSpec spec) {
    RunCodes codes = new RunCodes();
    for (int c = 0; c < spec.schema().columnCount(); c++) {
      codes.columns.add(null);
    }
    return codes;
  }

  /** Encodes rows of a column; null when they keep their values. */
  CommonCodes.Recoding recode(int column, List<ColumnSlice> slices) {
    CommonCodes codes = columns.get(column);
    return codes == null ? null : codes.recode(slices);
  }

  /** Ends the encoding of further rows; encoded rows keep their codes. */
  @Override
  public void close() {
    Closer closer = new Closer();
    columns.forEach(closer::close);
    closer.rethrow();
  }
}
