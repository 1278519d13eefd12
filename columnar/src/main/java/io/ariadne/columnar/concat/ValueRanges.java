package io.ariadne.columnar.concat;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import java.util.List;

/** Copies the values of row ranges of columns in host memory. Stateless. */
public final class ValueRanges {
  private static final int CODE_SHIFT = 2;

  private ValueRanges() {}

  /**
   * Copies values of fixed width, codes looked up. Under nulls the target gets undefined values.
   *
   * @param slices of columns in host memory, with or without dictionaries
   * @param target address of memory for all of their values, without padding
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
        case 2 * Long.BYTES -> {
          Memory.putLong(to, Memory.getLong(from));
          Memory.putLong(to + Long.BYTES, Memory.getLong(from + Long.BYTES));
        }
        default -> throw new IllegalArgumentException(width + " bytes per value");
      }
    }
  }

  /** Implements {@link DictionaryLookup#JAVA}. */
  static void lookUp(ColumnSlice rows, MemoryBuffer target, long offset) {
    PhysicalType layout = rows.column().valueLayout();
    if (layout == PhysicalType.BOOL) {
      lookUpBits(rows, target);
    } else {
      lookUp(rows, target.address() + offset, layout.widthInBytes());
    }
  }

  private static void lookUpBits(ColumnSlice rows, MemoryBuffer target) {
    target.fillZero();
    long entries = rows.column().dictionary().entries().data().address();
    for (int i = 0; i < rows.count(); i++) {
      if (Bitmaps.isSet(entries, code(rows.column(), rows.first() + i))) {
        Bitmaps.set(target.address(), i);
      }
    }
  }

  /** Returns the code of a row of a dictionary column in host memory. */
  public static long code(ColumnVector column, int row) {
    return Memory.getInt(column.data().address() + ((long) row << CODE_SHIFT));
  }
}
