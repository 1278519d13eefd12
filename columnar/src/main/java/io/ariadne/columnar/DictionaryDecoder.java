package io.ariadne.columnar;

import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Decodes dictionary columns in host memory to plain columns.
 *
 * <p>Fixed-width values and bits are copied row by row; strings become views that share the heaps
 * of the dictionary, so that no characters are copied.
 */
public final class DictionaryDecoder {
  /**
   * Rows per entry from which on a dictionary pays. With fewer rows per entry, work per entry
   * instead of per row, and codes instead of values, save too little.
   */
  public static final int ROWS_PER_ENTRY = 4;

  private final BufferAllocator allocator;

  /**
   * Creates a decoder.
   *
   * @param allocator where buffers come from; HOST or PINNED
   */
  public DictionaryDecoder(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Returns whether a column is a dictionary column with so few entries that work per entry is
   * cheaper than work per row.
   */
  public static boolean pays(ColumnVector column) {
    return column.dictionary() != null
        && column.dictionary().entryCount() <= column.rowCount() / ROWS_PER_ENTRY;
  }

  /**
   * Decodes the dictionary columns of a batch.
   *
   * @param batch in host memory; ownership passes to the decoder, also when this throws
   * @return a batch of the same rows without dictionary columns, owned by the caller
   */
  public RecordBatch decode(RecordBatch batch) {
    List<ColumnVector> columns = new ArrayList<>();
    try (batch) {
      for (int i = 0; i < batch.columnCount(); i++) {
        boolean isEncoded = batch.column(i).dictionary() != null;
        columns.add(isEncoded ? decode(batch.column(i)) : batch.takeColumn(i));
      }
      return new RecordBatch(batch.schema(), batch.rowCount(), columns, batch.sequence());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  /**
   * Decodes a column.
   *
   * @param column a dictionary column in host memory; stays owned by the caller
   * @return a column of the same type and rows in the layout of the dictionary's values, owned by
   *     the caller
   * @throws IndexOutOfBoundsException when a code is outside the dictionary
   */
  public ColumnVector decode(ColumnVector column) {
    Dictionary dictionary = column.dictionary();
    MemoryBuffer data = null;
    MemoryBuffer validity = null;
    List<SharedBuffer> heaps = new ArrayList<>();
    try {
      data = allocator.allocate(dictionary.valueLayout().dataLengthInBytes(column.rowCount()));
      decodeTo(column, data);
      validity = copyValidity(column);
      dictionary.entries().heaps().forEach(heap -> heaps.add(heap.retain()));
      return new ColumnVector(
          column.type(),
          dictionary.valueLayout(),
          column.rowCount(),
          data,
          validity,
          column.nullCount(),
          heaps,
          List.of());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(data);
      closer.close(validity);
      heaps.forEach(heap -> closer.close(heap::release));
      closer.suppressIn(e);
      throw e;
    }
  }

  private static void checkCodes(ColumnVector column, int entryCount) {
    int rows = column.rowCount();
    Objects.checkFromIndexSize(0, rows * 4L, column.data().lengthInBytes());
    long codes = rows == 0 ? 0 : column.data().address();
    int signs = 0;
    for (int row = 0; row < rows; row++) {
      int code = Memory.getInt(codes + row * 4L);
      // Negative when the code is, or is larger than the last one.
      signs |= code | (entryCount - 1 - code);
    }
    if (signs < 0) {
      throw new IndexOutOfBoundsException("a code is outside of " + column.dictionary());
    }
  }

  /**
   * Writes the value of every row, null rows included, in the layout of the dictionary's values;
   * views refer to its heaps.
   *
   * @param column a dictionary column in host memory; stays owned by the caller
   * @param target host memory for all rows; stays owned by the caller
   * @throws IndexOutOfBoundsException when a code is outside the dictionary or the target is short
   */
  public static void decodeTo(ColumnVector column, MemoryBuffer target) {
    ColumnVector entries = column.dictionary().entries();
    int rows = column.rowCount();
    checkCodes(column, entries.rowCount());
    long length = entries.physicalType().dataLengthInBytes(rows);
    Objects.checkFromIndexSize(0, length, target.lengthInBytes());
    if (rows == 0) {
      return;
    }
    long codes = column.data().address();
    long from = entries.data().address();
    long to = target.address();
    switch (entries.physicalType().widthInBytes()) {
      case 0 -> gatherBits(codes, from, target, rows);
      case Byte.BYTES -> gather8(codes, from, to, rows);
      case Short.BYTES -> gather16(codes, from, to, rows);
      case Integer.BYTES -> gather32(codes, from, to, rows);
      case Long.BYTES -> gather64(codes, from, to, rows);
      default -> gather128(codes, from, to, rows);
    }
  }

  private static long code(long codes, int row) {
    return Memory.getInt(codes + row * 4L);
  }

  private static void gatherBits(long codes, long from, MemoryBuffer data, int rows) {
    data.fillZero();
    long to = data.address();
    for (int row = 0; row < rows; row++) {
      if (Bitmaps.isSet(from, code(codes, row))) {
        Bitmaps.set(to, row);
      }
    }
  }

  private static void gather8(long codes, long from, long to, int rows) {
    for (int row = 0; row < rows; row++) {
      Memory.putByte(to + row, Memory.getByte(from + code(codes, row)));
    }
  }

  private static void gather16(long codes, long from, long to, int rows) {
    for (int row = 0; row < rows; row++) {
      Memory.putShort(to + row * 2L, Memory.getShort(from + (code(codes, row) << 1)));
    }
  }

  private static void gather32(long codes, long from, long to, int rows) {
    for (int row = 0; row < rows; row++) {
      Memory.putInt(to + row * 4L, Memory.getInt(from + (code(codes, row) << 2)));
    }
  }

  private static void gather64(long codes, long from, long to, int rows) {
    for (int row = 0; row < rows; row++) {
      Memory.putLong(to + row * 8L, Memory.getLong(from + (code(codes, row) << 3)));
    }
  }

  private static void gather128(long codes, long from, long to, int rows) {
    for (int row = 0; row < rows; row++) {
      long source = from + (code(codes, row) << 4);
      long target = to + row * 16L;
      Memory.putLong(target, Memory.getLong(source));
      Memory.putLong(target + Long.BYTES, Memory.getLong(source + Long.BYTES));
    }
  }

  private MemoryBuffer copyValidity(ColumnVector column) {
    if (column.validity() == null) {
      return null;
    }
    long length = PhysicalType.BOOL.dataLengthInBytes(column.rowCount());
    MemoryBuffer copy = allocator.allocate(length);
    if (length > 0) {
      Memory.copy(column.validity().address(), copy.address(), length);
    }
    return copy;
  }
}
