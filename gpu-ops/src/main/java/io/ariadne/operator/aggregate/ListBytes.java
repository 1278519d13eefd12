package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;

/**
 * Encodes lists as the bytes that Spark's collect_list exchanges: an unsafe row with one unsafe
 * array without nulls.
 *
 * <p>A row is a word of null bits, all clear, then a word with the offset of the array in its upper
 * half and the array's length in bytes in its lower half. An array is the number of its values,
 * null bits in whole words, then the values, padded to a whole word. For strings, the values are
 * words as in the row, with offsets from the start of the array; the strings follow, each padded to
 * a whole word. A boolean takes a byte. Source: {@code Collect.serialize}, {@code UnsafeRow},
 * {@code UnsafeArrayData}.
 */
final class ListBytes {
  private static final int ROW_BYTES = 2 * Long.BYTES;
  private static final int FIRST_CAPACITY = 4096;

  /** Bytes of a value in an array: as in the column; a word for a string. */
  private final int width;

  private final boolean isText;

  /**
   * Creates an encoding.
   *
   * @param layout layout of the values in columns; {@link PhysicalType#I8} for booleans
   */
  ListBytes(PhysicalType layout) {
    this.isText = layout == PhysicalType.VIEW16;
    this.width = isText ? Long.BYTES : layout.widthInBytes();
  }

  private static long words(long bytes) {
    return (bytes + Long.BYTES - 1) & -Long.BYTES;
  }

  private static long headerBytes(long count) {
    return Long.BYTES + (count + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
  }

  /** Returns the address of the array of a row. */
  private static long array(long row) {
    return row + (Memory.getLong(row + Long.BYTES) >>> Integer.SIZE);
  }

  /** Returns how many values the list at an address has. */
  static int count(long row) {
    return Math.toIntExact(Memory.getLong(array(row)));
  }

  /** Copies the values of the list at an address; they are not strings. */
  void copyValues(long row, int count, long target) {
    Memory.copy(array(row) + headerBytes(count), target, (long) count * width);
  }

  /** Appends the strings of the list at an address. */
  void appendTexts(long row, int count, ViewBuilder texts) {
    long array = array(row);
    long slots = array + headerBytes(count);
    for (int i = 0; i < count; i++) {
      long slot = Memory.getLong(slots + (long) i * Long.BYTES);
      texts.append(array + (slot >>> Integer.SIZE), (int) slot);
    }
  }

  /**
   * Encodes each row of a column of lists in host memory.
   *
   * @param lists stays the caller's
   * @param allocator allocates host memory
   * @return a column of type BINARY, owned by the caller
   */
  ColumnVector of(ColumnVector lists, BufferAllocator allocator) {
    MemoryBuffer scratch = allocator.allocate(FIRST_CAPACITY);
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.BINARY, allocator)) {
      ViewBuilder bytes = (ViewBuilder) builder;
      ColumnVector values = lists.children().get(0);
      ColumnReader reader = new ColumnReader(values);
      for (int row = 0; row < lists.rowCount(); row++) {
        int first = lists.data().getInt((long) row * Integer.BYTES);
        int count = lists.data().getInt((row + 1L) * Integer.BYTES) - first;
        int length = Math.toIntExact(lengthOf(reader, first, count));
        if (length > scratch.capacityInBytes()) {
          scratch.close();
          scratch = allocator.allocate(2L * length);
        }
        write(values, reader, first, count, length, scratch.address());
        bytes.append(scratch.address(), length);
      }
      return bytes.build();
    } finally {
      scratch.close();
    }
  }

  private long lengthOf(ColumnReader values, int first, int count) {
    long length = ROW_BYTES + headerBytes(count) + words((long) count * width);
    for (int i = 0; isText && i < count; i++) {
      length += words(values.getByteLength(first + i));
    }
    return length;
  }

  private void write(
      ColumnVector values, ColumnReader reader, int first, int count, int length, long row) {
    Memory.fill(row, length, (byte) 0);
    Memory.putLong(row + Long.BYTES, (long) ROW_BYTES << Integer.SIZE | (length - ROW_BYTES));
    long array = row + ROW_BYTES;
    Memory.putLong(array, count);
    long slots = array + headerBytes(count);
    if (!isText) {
      long from = values.data().address() + (long) first * width;
      Memory.copy(from, slots, (long) count * width);
      return;
    }
    long text = slots + (long) count * width;
    for (int i = 0; i < count; i++) {
      int bytes = reader.getByteLength(first + i);
      Memory.putLong(slots + (long) i * width, (text - array) << Integer.SIZE | bytes);
      Memory.copy(reader.getBytesAddress(first + i), text, bytes);
      text += words(bytes);
    }
  }
}
