package io.ariadne.shuffle.rows;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Memory;
import java.util.List;

/** Values of fixed width of ranges of rows, behind one another; those of dictionaries looked up. */
public final class ValueRanges {
  private static final int CODE_SHIFT = 2;

  private ValueRanges() {}

  /**
   * Copies the values of rows; those of nulls are any.
   *
   * @param slices of columns on the host, with or without dictionaries
   * @param target address of room for all of their values, without padding
   * @param width bytes of a value
   */
  public static void copy(List<ColumnSlice> slices, long target, int width) {
    long at = target;
    for (ColumnSlice slice : slices) {
      ColumnVector column = slice.column();
      long length = (long) slice.count() * width;
      if (length == 0) {
        continue;
      }
      if (column.dictionary() == null) {
        Memory.copy(column.data().address() + (long) slice.first() * width, at, length);
      } else {
        lookUp(slice, at, width);
      }
      at += length;
    }
  }

  private static void lookUp(ColumnSlice slice, long target, int width) {
    ColumnVector column = slice.column();
    long entries = column.dictionary().entries().data().address();
    long to = target;
    for (int row = slice.first(); row < slice.first() + slice.count(); row++, to += width) {
      long from = entries + code(column, row) * width;
      switch (width) {
        case Byte.BYTES -> Memory.putByte(to, Memory.getByte(from));
        case Short.BYTES -> Memory.putShort(to, Memory.getShort(from));
        case Integer.BYTES -> Memory.putInt(to, Memory.getInt(from));
        case Long.BYTES -> Memory.putLong(to, Memory.getLong(from));
        default -> Memory.copy(from, to, width);
      }
    }
  }

  /** Returns the code of a row of a dictionary column on the host. */
  public static long code(ColumnVector column, int row) {
    return Memory.getInt(column.data().address() + ((long) row << CODE_SHIFT));
  }
}
