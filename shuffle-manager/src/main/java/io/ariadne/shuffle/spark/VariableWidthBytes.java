package io.ariadne.shuffle.spark;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.PhysicalType;

/** Counts the bytes of values other than those of a fixed width of at most 8 bytes. Stateless. */
final class VariableWidthBytes {
  private static final int VIEW_SHIFT = 4;

  private VariableWidthBytes() {}

  /**
   * Returns the bytes of strings, of long decimals and of nested values, codes looked up.
   *
   * @param batch in host memory
   */
  static long of(RecordBatch batch) {
    long bytes = 0;
    for (int i = 0; i < batch.columnCount(); i++) {
      ColumnVector column = batch.column(i);
      bytes +=
          switch (column.valueLayout()) {
            case VIEW16 -> strings(column);
            case OFFSETS, NONE, I128 -> all(column);
            default -> 0;
          };
    }
    return bytes;
  }

  private static long all(ColumnVector column) {
    PhysicalType layout = column.valueLayout();
    long bytes =
        layout == PhysicalType.VIEW16
            ? strings(column)
            : layout.dataLengthInBytes(column.rowCount());
    for (ColumnVector child : column.children()) {
      bytes += all(child);
    }
    return bytes;
  }

  private static long strings(ColumnVector column) {
    int rows = column.rowCount();
    if (rows == 0) {
      return 0;
    }
    boolean isCoded = column.dictionary() != null;
    long codes = isCoded ? column.data().address() : 0;
    long views = (isCoded ? column.dictionary().entries() : column).data().address();
    long validity = column.validity() == null ? 0 : column.validity().address();
    long bytes = 0;
    for (int row = 0; row < rows; row++) {
      if (validity == 0 || Bitmaps.isSet(validity, row)) {
        long place = isCoded ? Memory.getInt(codes + (long) row * Integer.BYTES) : row;
        bytes += Memory.getInt(views + (place << VIEW_SHIFT));
      }
    }
    return bytes;
  }
}
