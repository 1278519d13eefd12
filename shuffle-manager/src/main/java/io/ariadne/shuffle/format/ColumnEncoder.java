package io.ariadne.shuffle.format;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.concat.ValueRanges;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes rows of columns of one layout as one column of a block. Values of dictionary columns are
 * looked up, or stay codes when they are strings ({@link BlockCodes}). Used by one thread.
 */
final class ColumnEncoder {
  private static final int VIEW_SHIFT = 4;
  private static final int CODE_SHIFT = 2;
  private static final int PREFIX_OFFSET = 4;
  private static final int HEAP_INDEX_OFFSET = 8;
  private static final int HEAP_OFFSET_OFFSET = 12;
  private static final int MAX_BYTE = 0xFF;
  private static final int MAX_SHORT = 0xFFFF;

  private final List<ColumnSlice> slices;
  private final BlockColumn layout;

  /** Null for a column that is not coded. */
  private final BlockCodes codes;

  /** Null for a column of other than integers. */
  private final BlockIntegers integers;

  private final List<ColumnEncoder> children = new ArrayList<>();

  /**
   * Computes the layout of the column.
   *
   * @param slices at least one, whose values have the same layout
   */
  ColumnEncoder(List<ColumnSlice> slices) {
    this.slices = slices;
    PhysicalType type = ColumnSlice.layout(slices);
    this.codes = type == PhysicalType.VIEW16 ? BlockCodes.of(slices).orElse(null) : null;
    this.integers = BlockIntegers.are(type) ? new BlockIntegers(slices, type) : null;
    int nested = slices.get(0).column().children().size();
    for (int i = 0; i < nested; i++) {
      children.add(new ColumnEncoder(ColumnSlice.children(slices, i)));
    }
    if (codes != null) {
      children.add(new ColumnEncoder(codes.entries()));
    }
    List<BlockColumn> layouts = children.stream().map(ColumnEncoder::layout).toList();
    boolean hasValidity = slices.stream().anyMatch(slice -> slice.column().mayHaveNulls());
    int rows = ColumnSlice.rows(slices);
    this.layout = layout(type, hasValidity, rows, layouts);
  }

  private BlockColumn layout(
      PhysicalType type, boolean hasValidity, int rows, List<BlockColumn> layouts) {
    if (codes != null) {
      return new BlockColumn(
          PhysicalType.DICTIONARY32, hasValidity, Byte.BYTES, rows, 0, 0, 0, layouts);
    }
    if (type == PhysicalType.VIEW16) {
      return stringLayout(hasValidity, rows);
    }
    return integers != null
        ? new BlockColumn(
            type, hasValidity, integers.unitBytes(), rows, integers.base(), 0, 0, layouts)
        : new BlockColumn(type, hasValidity, 0, rows, 0, 0, 0, layouts);
  }

  /** Returns the layout. */
  BlockColumn layout() {
    return layout;
  }

  private BlockColumn stringLayout(boolean hasValidity, int rows) {
    long shortBytes = 0;
    long longBytes = 0;
    int longest = 0;
    for (ColumnSlice slice : slices) {
      Strings strings = new Strings(slice.column());
      for (int row = slice.first(); row < slice.first() + slice.count(); row++) {
        int length = strings.length(row);
        longest = Math.max(longest, length);
        if (length <= BlockColumn.MAX_INLINE_BYTES) {
          shortBytes += length;
        } else {
          longBytes += length;
        }
      }
    }
    int unitBytes =
        longest <= MAX_BYTE ? Byte.BYTES : longest <= MAX_SHORT ? Short.BYTES : Integer.BYTES;
    return new BlockColumn(
        PhysicalType.VIEW16, hasValidity, unitBytes, rows, 0, shortBytes, longBytes, List.of());
  }

  /**
   * Writes validity, values and nested columns.
   *
   * @param address memory for {@link BlockColumn#dataBytes} of the layout
   * @return the address behind the written bytes
   */
  long write(long address) {
    long at = address;
    if (layout.hasValidity()) {
      writeValidity(at);
      at += layout.validityBytes();
    }
    switch (layout.layout()) {
      case NONE -> {}
      case BOOL -> writeBits(at);
      case OFFSETS -> writeListLengths(at);
      case VIEW16 -> writeStrings(at);
      case DICTIONARY32 -> codes.write(at);
      case I16, I32, I64 -> integers.write(at);
      default -> ValueRanges.copy(slices, at, layout.layout().widthInBytes());
    }
    at += layout.valueBytes();
    for (ColumnEncoder child : children) {
      at = child.write(at);
    }
    return at;
  }

  private void writeValidity(long target) {
    Memory.fill(target, layout.validityBytes(), (byte) 0);
    long at = 0;
    for (ColumnSlice slice : slices) {
      if (slice.column().mayHaveNulls()) {
        Bitmaps.append(
            slice.column().validity().address(), slice.first(), target, at, slice.count());
      } else {
        Bitmaps.setAll(target, at, slice.count());
      }
      at += slice.count();
    }
  }

  private void writeBits(long target) {
    Memory.fill(target, layout.valueBytes(), (byte) 0);
    long at = 0;
    for (ColumnSlice slice : slices) {
      ColumnVector column = slice.column();
      if (slice.count() == 0) {
        continue;
      }
      if (column.dictionary() == null) {
        Bitmaps.append(column.data().address(), slice.first(), target, at, slice.count());
      } else {
        long bits = column.dictionary().entries().data().address();
        for (int i = 0; i < slice.count(); i++) {
          if (Bitmaps.isSet(bits, ValueRanges.code(column, slice.first() + i))) {
            Bitmaps.set(target, at + i);
          }
        }
      }
      at += slice.count();
    }
  }

  private void writeListLengths(long target) {
    long at = target;
    for (ColumnSlice slice : slices) {
      if (slice.count() == 0) {
        continue;
      }
      long offsets = slice.column().data().address() + ((long) slice.first() << CODE_SHIFT);
      for (int i = 0; i < slice.count(); i++) {
        long offset = offsets + ((long) i << CODE_SHIFT);
        Memory.putInt(at, Memory.getInt(offset + Integer.BYTES) - Memory.getInt(offset));
        at += Integer.BYTES;
      }
    }
  }

  private void writeStrings(long target) {
    int width = layout.unitBytes();
    long lengthAt = target;
    long shortAt = target + (long) layout.rows() * width;
    long longAt = shortAt + layout.shortBytes();
    for (ColumnSlice slice : slices) {
      Strings strings = new Strings(slice.column());
      for (int row = slice.first(); row < slice.first() + slice.count(); row++) {
        int length = strings.length(row);
        putLength(lengthAt, width, length);
        lengthAt += width;
        if (length > BlockColumn.MAX_INLINE_BYTES) {
          Memory.copy(strings.address(row), longAt, length);
          longAt += length;
        } else {
          long from = strings.address(row);
          for (int i = 0; i < length; i++) {
            Memory.putByte(shortAt + i, Memory.getByte(from + i));
          }
          shortAt += length;
        }
      }
    }
  }

  private static void putLength(long address, int width, int length) {
    switch (width) {
      case Byte.BYTES -> Memory.putByte(address, (byte) length);
      case Short.BYTES -> Memory.putShort(address, (short) length);
      default -> Memory.putInt(address, length);
    }
  }

  /** Finds the characters of a column's strings. */
  static final class Strings {
    private final ColumnVector column;
    private final boolean isCoded;
    private final long views;
    private final long[] heaps;
    private final long validity;

    Strings(ColumnVector column) {
      this.column = column;
      this.isCoded = column.dictionary() != null;
      ColumnVector values = isCoded ? column.dictionary().entries() : column;
      boolean isEmpty = column.rowCount() == 0;
      this.views = isEmpty ? 0 : values.data().address();
      this.heaps = values.heaps().stream().mapToLong(SharedBuffer::address).toArray();
      this.validity = isEmpty || column.validity() == null ? 0 : column.validity().address();
    }

    private long view(int row) {
      return views + ((isCoded ? ValueRanges.code(column, row) : row) << VIEW_SHIFT);
    }

    /** Returns the bytes of a string; 0 for null. */
    int length(int row) {
      return validity != 0 && !Bitmaps.isSet(validity, row) ? 0 : Memory.getInt(view(row));
    }

    /** Returns the address of the first byte of a string that is not null. */
    long address(int row) {
      long view = view(row);
      return Memory.getInt(view) <= BlockColumn.MAX_INLINE_BYTES
          ? view + PREFIX_OFFSET
          : heaps[Memory.getInt(view + HEAP_INDEX_OFFSET)]
              + Memory.getInt(view + HEAP_OFFSET_OFFSET);
    }
  }
}
