package io.ariadne.shuffle.format;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.type.PhysicalType;
import java.util.List;

/**
 * Encodes the integers of a column as distances from the least of them, each in as many bytes as
 * the largest distance needs: frame of reference, in whole bytes. Nulls do not affect the base;
 * they are written as distances of 0.
 *
 * <p>Most blocks are compressed afterwards, at a cost per byte; fewer bytes make compression
 * cheaper. Used by one thread.
 *
 * @see <a href="https://doi.org/10.1109/ICDE.1998.655800">Goldstein, Ramakrishnan, Shaft:
 *     Compressing Relations and Indexes, ICDE 1998</a>
 */
final class BlockIntegers {
  /** Values are processed in pieces, so that each loop does one thing. */
  private static final int PIECE = 1024;

  private static final int CODE_SHIFT = 2;
  private static final long BYTE_MASK = 0xFF;
  private static final long SHORT_MASK = 0xFFFF;
  private static final long INT_MASK = 0xFFFF_FFFFL;

  private final List<ColumnSlice> slices;
  private final int width;
  private final long[] values;
  private final long base;
  private final int unitBytes;
  private long least = Long.MAX_VALUE;
  private long greatest = Long.MIN_VALUE;

  /**
   * Finds the least and the greatest value.
   *
   * @param slices columns of integers of the same width, which may be dictionary columns
   * @param layout for which {@link #are} is true
   */
  BlockIntegers(List<ColumnSlice> slices, PhysicalType layout) {
    this.slices = slices;
    this.width = layout.widthInBytes();
    this.values = new long[Math.min(PIECE, ColumnSlice.rows(slices))];
    findRange();
    int needed = least > greatest ? Byte.BYTES : unitBytes(greatest - least);
    this.unitBytes = Math.min(needed, width);
    this.base = unitBytes == width || least > greatest ? 0 : least;
  }

  /** Finds the least and the greatest value, or two that need the full width. */
  private void findRange() {
    for (ColumnSlice slice : slices) {
      for (int done = 0; done < slice.count(); done += PIECE) {
        addToRange(slice, done);
        if (least <= greatest && unitBytes(greatest - least) >= width) {
          return;
        }
      }
    }
  }

  private void addToRange(ColumnSlice slice, int done) {
    int count = load(slice, done);
    long validity = validity(slice);
    int first = slice.first() + done;
    long low = least;
    long high = greatest;
    for (int i = 0; i < count; i++) {
      if (validity == 0 || Bitmaps.isSet(validity, first + i)) {
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
      }
    }
    least = low;
    greatest = high;
  }

  /** Returns whether values of a layout are written as distances. */
  static boolean are(PhysicalType layout) {
    return layout == PhysicalType.I16 || layout == PhysicalType.I32 || layout == PhysicalType.I64;
  }

  /** Returns the bytes that an unsigned distance needs. */
  private static int unitBytes(long distance) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(distance);
    return bits <= Byte.SIZE
        ? Byte.BYTES
        : bits <= Short.SIZE ? Short.BYTES : bits <= Integer.SIZE ? Integer.BYTES : Long.BYTES;
  }

  /** Returns what is added to all distances; 0 when they are as wide as the values. */
  long base() {
    return base;
  }

  /** Returns the bytes of a distance: 1, 2, 4 or 8, at most those of a value. */
  int unitBytes() {
    return unitBytes;
  }

  /**
   * Writes the distances.
   *
   * @param target memory for {@link #unitBytes} per row
   */
  void write(long target) {
    long at = target;
    for (ColumnSlice slice : slices) {
      if (isWrittenAsItIs(slice)) {
        long data = slice.column().data().address();
        Memory.copy(data + (long) slice.first() * width, at, (long) slice.count() * width);
      } else {
        writeDistances(slice, at);
      }
      at += (long) slice.count() * unitBytes;
    }
  }

  private boolean isWrittenAsItIs(ColumnSlice slice) {
    return unitBytes == width
        && slice.count() > 0
        && slice.column().dictionary() == null
        && !slice.column().mayHaveNulls();
  }

  private void writeDistances(ColumnSlice slice, long target) {
    long validity = validity(slice);
    for (int done = 0; done < slice.count(); done += PIECE) {
      int count = load(slice, done);
      int first = slice.first() + done;
      for (int i = 0; i < count; i++) {
        boolean isNull = validity != 0 && !Bitmaps.isSet(validity, first + i);
        values[i] = isNull ? 0 : values[i] - base;
      }
      store(values, count, unitBytes, target + (long) done * unitBytes);
    }
  }

  /**
   * Reads the values of one block.
   *
   * @param column of integers
   * @param source its distances
   * @param target memory for its values
   */
  static void read(BlockColumn column, long source, long target) {
    int width = column.layout().widthInBytes();
    int unitBytes = column.unitBytes();
    if (unitBytes == width) {
      if (column.rows() > 0) {
        Memory.copy(source, target, column.valueBytes());
      }
      return;
    }
    long[] values = new long[Math.min(PIECE, column.rows())];
    for (int done = 0; done < column.rows(); done += PIECE) {
      int count = Math.min(PIECE, column.rows() - done);
      loadDistances(source + (long) done * unitBytes, unitBytes, values, count);
      for (int i = 0; i < count; i++) {
        values[i] += column.base();
      }
      store(values, count, width, target + (long) done * width);
    }
  }

  private static long validity(ColumnSlice slice) {
    return slice.column().mayHaveNulls() ? slice.column().validity().address() : 0;
  }

  /** Loads the values of the next piece, undefined ones under nulls; returns their number. */
  private int load(ColumnSlice slice, int done) {
    ColumnVector column = slice.column();
    int count = Math.min(PIECE, slice.count() - done);
    long row = (long) slice.first() + done;
    long data = column.data().address();
    if (column.dictionary() != null) {
      long entries = column.dictionary().entries().data().address();
      for (int i = 0; i < count; i++) {
        values[i] = value(entries, Memory.getInt(data + ((row + i) << CODE_SHIFT)));
      }
      return count;
    }
    long at = data + row * width;
    switch (width) {
      case Short.BYTES -> {
        for (int i = 0; i < count; i++) {
          values[i] = Memory.getShort(at + (long) i * Short.BYTES);
        }
      }
      case Integer.BYTES -> {
        for (int i = 0; i < count; i++) {
          values[i] = Memory.getInt(at + (long) i * Integer.BYTES);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          values[i] = Memory.getLong(at + (long) i * Long.BYTES);
        }
      }
    }
    return count;
  }

  private long value(long entries, int code) {
    long at = entries + (long) code * width;
    return switch (width) {
      case Short.BYTES -> Memory.getShort(at);
      case Integer.BYTES -> Memory.getInt(at);
      default -> Memory.getLong(at);
    };
  }

  private static void loadDistances(long source, int unitBytes, long[] values, int count) {
    switch (unitBytes) {
      case Byte.BYTES -> {
        for (int i = 0; i < count; i++) {
          values[i] = Memory.getByte(source + i) & BYTE_MASK;
        }
      }
      case Short.BYTES -> {
        for (int i = 0; i < count; i++) {
          values[i] = Memory.getShort(source + (long) i * Short.BYTES) & SHORT_MASK;
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          values[i] = Memory.getInt(source + (long) i * Integer.BYTES) & INT_MASK;
        }
      }
    }
  }

  private static void store(long[] values, int count, int unitBytes, long target) {
    switch (unitBytes) {
      case Byte.BYTES -> {
        for (int i = 0; i < count; i++) {
          Memory.putByte(target + i, (byte) values[i]);
        }
      }
      case Short.BYTES -> {
        for (int i = 0; i < count; i++) {
          Memory.putShort(target + (long) i * Short.BYTES, (short) values[i]);
        }
      }
      case Integer.BYTES -> {
        for (int i = 0; i < count; i++) {
          Memory.putInt(target + (long) i * Integer.BYTES, (int) values[i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          Memory.putLong(target + (long) i * Long.BYTES, values[i]);
        }
      }
    }
  }
}
