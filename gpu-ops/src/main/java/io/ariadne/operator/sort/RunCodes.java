package io.ariadne.operator.sort;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;

/**
 * The {@link CommonCodes} of a sort's columns: of strings beside the keys, which are compared as
 * they are. Thread-safe.
 */
final class RunCodes implements AutoCloseable {
  /** One per column, null where rows keep values. */
  private final List<CommonCodes> columns = new ArrayList<>();

  private RunCodes() {}

  /** Creates numberings of all strings that rows are not sorted by. */
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

  /** Returns what numbers nothing. */
  static RunCodes none(SortSpec spec) {
    RunCodes codes = new RunCodes();
    for (int c = 0; c < spec.schema().columnCount(); c++) {
      codes.columns.add(null);
    }
    return codes;
  }

  /** Returns how rows of a column get codes, null when they keep their values. */
  CommonCodes.Recoding recode(int column, List<ColumnSlice> slices) {
    CommonCodes codes = columns.get(column);
    return codes == null ? null : codes.recode(slices);
  }

  /** Makes no more dictionaries: what has codes keeps them. */
  @Override
  public void close() {
    Closer closer = new Closer();
    columns.forEach(closer::close);
    closer.rethrow();
  }
}
