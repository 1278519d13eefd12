package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import java.util.List;

/**
 * Performs the last steps of decoding a window: decodes the dense values of its parts and spreads
 * them over its rows. Used by one thread.
 *
 * <p>Rows are slots of the column: rows of the batch, or entries of the enclosing lists.
 */
final class RowValues {
  private final FlatColumn column;
  private final DecodeContext context;
  private final EncodedValues values;

  RowValues(FlatColumn column, DecodeContext context, EncodedValues values) {
    this.column = column;
    this.context = context;
    this.values = values;
  }

  /**
   * Makes a column of dictionary ids.
   *
   * @param windows parts of pages of ids, each with at least one dense value
   * @param rowCount number of rows
   * @param validity which rows have a value, null for all; owned by the column when this returns
   */
  ColumnVector coded(List<PageWindow> windows, int rowCount, MemoryBuffer validity) {
    MemoryBuffer ids =
        byRow(
            windows,
            rowCount,
            PhysicalType.I32,
            validity,
            target -> values.dictionary().decodeIds(windows, target, 0));
    return ColumnVector.ofDictionary(
        values.dictionary().dictionary().retain(),
        rowCount,
        ids,
        validity,
        ColumnVector.UNKNOWN_NULL_COUNT);
  }

  /**
   * Makes a column of values.
   *
   * @param windows parts of pages, each with at least one dense value
   * @param rowCount number of rows
   * @param validity which rows have a value, null for all; owned by the column when this returns
   */
  ColumnVector plain(List<PageWindow> windows, int rowCount, MemoryBuffer validity) {
    try (BatchHeaps heaps = new BatchHeaps()) {
      MemoryBuffer data =
          byRow(
              windows,
              rowCount,
              column.layout(),
              validity,
              target -> values.decode(windows, target, heaps));
      List<SharedBuffer> held = heaps.take();
      return new ColumnVector(
          column.type(),
          column.layout(),
          rowCount,
          data,
          validity,
          ColumnVector.UNKNOWN_NULL_COUNT,
          held,
          List.of());
    }
  }

  /** Decodes dense values to their places. */
  private interface DenseStep {
    void decode(MemoryBuffer target);
  }

  /**
   * Decodes dense values and spreads them over the rows. Without nulls the dense values are the
   * rows.
   */
  private MemoryBuffer byRow(
      List<PageWindow> windows,
      int rowCount,
      PhysicalType layout,
      MemoryBuffer validity,
      DenseStep step) {
    if (validity == null) {
      return decoded(layout, rowCount, step);
    }
    int denseCount = windows.stream().mapToInt(window -> window.denseCount).sum();
    try (MemoryBuffer dense = decoded(layout, denseCount, step)) {
      MemoryBuffer rows = context.allocator().allocate(layout.dataLengthInBytes(rowCount));
      try {
        context.spread().spread(dense, denseCount, layout.widthInBytes(), validity, rows, rowCount);
        return rows;
      } catch (RuntimeException | Error e) {
        rows.close();
        throw e;
      }
    }
  }

  private MemoryBuffer decoded(PhysicalType layout, int count, DenseStep step) {
    long bytes = layout.dataLengthInBytes(count);
    MemoryBuffer target =
        layout == PhysicalType.BOOL
            ? context.allocateCleared(bytes)
            : context.allocator().allocate(bytes);
    try {
      step.decode(target);
      return target;
    } catch (RuntimeException | Error e) {
      target.close();
      throw e;
    }
  }
}
