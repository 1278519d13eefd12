package io.ariadne.expression.nested;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.column.ListEntries;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Gathers rows of columns by row numbers, in any order, on the host; {@link #NULL} yields nulls.
 */
final class HostRows {
  /** The number of a missing row. */
  static final int NULL = ListEntries.NO_ROW;

  private final BufferAllocator allocator;

  HostRows(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** Returns a copy of a bitmap, null for none. */
  static MemoryBuffer copyOf(MemoryBuffer bitmap, int rowCount, BufferAllocator allocator) {
    if (bitmap == null) {
      return null;
    }
    long length = PhysicalType.BOOL.dataLengthInBytes(rowCount);
    MemoryBuffer copy = allocator.allocate(length);
    Memory.copy(bitmap.address(), copy.address(), length);
    return copy;
  }

  /**
   * Gathers rows.
   *
   * @param column in host memory, not a dictionary column; stays the caller's
   * @param numbers 32-bit row numbers or {@link #NULL}
   * @param count how many
   * @return a column owned by the caller, which retains the heaps
   */
  ColumnVector gather(ColumnVector column, MemoryBuffer numbers, int count) {
    MemoryBuffer data = null;
    MemoryBuffer validity = null;
    List<ColumnVector> children = new ArrayList<>();
    try {
      validity = validity(column, numbers, count);
      data = data(column, numbers, count);
      if (column.physicalType() == PhysicalType.OFFSETS) {
        children.add(entries(column, numbers, count, data));
      } else {
        for (ColumnVector child : column.children()) {
          children.add(gather(child, numbers, count));
        }
      }
      List<SharedBuffer> heaps = column.heaps().stream().map(SharedBuffer::retain).toList();
      return new ColumnVector(
          column.type(),
          column.physicalType(),
          count,
          data,
          validity,
          ColumnVector.UNKNOWN_NULL_COUNT,
          heaps,
          children);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(data);
      closer.close(validity);
      children.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private MemoryBuffer validity(ColumnVector column, MemoryBuffer numbers, int count) {
    MemoryBuffer bits = allocator.allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(count));
    int valid = 0;
    for (int i = 0; i < count; i++) {
      int row = number(numbers, i);
      if (row != NULL && !column.isNull(Objects.checkIndex(row, column.rowCount()))) {
        Bitmaps.set(bits.address(), i);
        valid++;
      }
    }
    if (valid < count) {
      return bits;
    }
    bits.close();
    return null;
  }

  private static int number(MemoryBuffer numbers, int index) {
    return Memory.getInt(numbers.address() + (long) index * Integer.BYTES);
  }

  /** Copies values, zeros for missing rows; for lists, writes the offsets. */
  private MemoryBuffer data(ColumnVector column, MemoryBuffer numbers, int count) {
    PhysicalType layout = column.physicalType();
    if (layout == PhysicalType.NONE) {
      return null;
    }
    MemoryBuffer data = allocator.allocateZeroed(layout.dataLengthInBytes(count));
    try {
      switch (layout) {
        case BOOL -> putBits(column.data().address(), numbers, count, data.address());
        case OFFSETS -> ListEntries.putOffsets(column, numbers, count, data);
        case DICTIONARY32 -> throw new IllegalArgumentException("a dictionary column is nested");
        default -> putValues(column.data().address(), layout, numbers, count, data.address());
      }
      return data;
    } catch (RuntimeException | Error e) {
      data.close();
      throw e;
    }
  }

  private static void putBits(long source, MemoryBuffer numbers, int count, long target) {
    for (int i = 0; i < count; i++) {
      int row = number(numbers, i);
      if (row != NULL && Bitmaps.isSet(source, row)) {
        Bitmaps.set(target, i);
      }
    }
  }

  private static void putValues(
      long source, PhysicalType layout, MemoryBuffer numbers, int count, long target) {
    int width = layout.widthInBytes();
    for (int i = 0; i < count; i++) {
      int row = number(numbers, i);
      if (row != NULL) {
        putValue(source + (long) row * width, target + (long) i * width, width);
      }
    }
  }

  private static void putValue(long source, long target, int width) {
    switch (width) {
      case 1 -> Memory.putByte(target, Memory.getByte(source));
      case 2 -> Memory.putShort(target, Memory.getShort(source));
      case 4 -> Memory.putInt(target, Memory.getInt(source));
      default -> {
        for (int at = 0; at < width; at += Long.BYTES) {
          Memory.putLong(target + at, Memory.getLong(source + at));
        }
      }
    }
  }

  /** Copies the entries of lists. */
  private ColumnVector entries(
      ColumnVector column, MemoryBuffer numbers, int count, MemoryBuffer newOffsets) {
    int entryCount = newOffsets.getInt((long) count * Integer.BYTES);
    try (MemoryBuffer entries =
        ListEntries.numbers(column, numbers, count, entryCount, allocator)) {
      return gather(column.children().get(0), entries, entryCount);
    }
  }
}
