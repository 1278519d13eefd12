package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a column of a known length, row by row in any order, in the default layout of its type. In
 * host memory.
 */
final class ColumnWriter implements AutoCloseable {
  private static final int HEAP_INDEX_OFFSET = 8;
  private static final int HEAP_OFFSET_OFFSET = 12;
  private static final long MIN_HEAP_BYTES = 4 << 10;
  private static final long MAX_HEAP_BYTES = 1 << 20;

  private final DataType type;
  private final PhysicalType kind;
  private final int rowCount;
  private final OperatorContext context;
  private MemoryBuffer data;
  private MemoryBuffer validity;
  private int nullCount;

  /** Heaps of strings that {@link #setBytes} has written; the last one is being filled. */
  private final List<MemoryBuffer> ownHeaps = new ArrayList<>();

  private int heapUsed;

  ColumnWriter(DataType type, int rowCount, OperatorContext context) {
    this.type = type;
    this.kind = type.defaultPhysicalType();
    this.rowCount = rowCount;
    this.context = context;
    this.data = context.allocator().allocateZeroed(kind.dataLengthInBytes(rowCount));
  }

  /** Writes an integer, the bits of a double (for doubles and floats), or 1 or 0 for a boolean. */
  void setLong(int row, long value) {
    long address = data.address() + (long) row * kind.widthInBytes();
    switch (kind) {
      case BOOL -> setBit(data, row, value != 0);
      case I8 -> Memory.putByte(address, (byte) value);
      case I16 -> Memory.putShort(address, (short) value);
      case I32 -> Memory.putInt(address, (int) value);
      case F32 -> Memory.putFloat(address, (float) Double.longBitsToDouble(value));
      case I64, F64 -> Memory.putLong(address, value);
      case I128 -> setWide(row, value, value >> (Long.SIZE - 1));
      default -> throw new IllegalStateException("not a layout of integers: " + kind);
    }
  }

  /** Writes a 128-bit integer or the two words of a view. */
  void setWide(int row, long low, long high) {
    if (kind.widthInBytes() != 2 * Long.BYTES) {
      setLong(row, low);
      return;
    }
    long address = data.address() + (long) row * kind.widthInBytes();
    Memory.putLong(address, low);
    Memory.putLong(address + Long.BYTES, high);
  }

  /**
   * Writes a string; copies its bytes. The column must not have other heaps.
   *
   * @param row the row
   * @param address the bytes, in host memory
   * @param length how many
   */
  void setBytes(int row, long address, int length) {
    long view = data.address() + (long) row * kind.widthInBytes();
    Memory.putInt(view, length);
    if (length <= ViewBuilder.MAX_INLINE_BYTES) {
      Memory.copy(address, view + Integer.BYTES, length);
      return;
    }
    MemoryBuffer heap = heapFor(length);
    Memory.copy(address, heap.address() + heapUsed, length);
    Memory.putInt(view + Integer.BYTES, Memory.getInt(address));
    Memory.putInt(view + HEAP_INDEX_OFFSET, ownHeaps.size() - 1);
    Memory.putInt(view + HEAP_OFFSET_OFFSET, heapUsed);
    heapUsed += length;
  }

  private MemoryBuffer heapFor(int length) {
    MemoryBuffer last = ownHeaps.isEmpty() ? null : ownHeaps.get(ownHeaps.size() - 1);
    if (last != null && length <= last.capacityInBytes() - heapUsed) {
      return last;
    }
    long doubled = last == null ? MIN_HEAP_BYTES : 2 * last.capacityInBytes();
    long wanted = Math.max(length, Math.min(MAX_HEAP_BYTES, doubled));
    MemoryBuffer next = context.allocator().allocate(wanted);
    ownHeaps.add(next);
    heapUsed = 0;
    return next;
  }

  /** Makes a row null. */
  void setNull(int row) {
    if (validity == null) {
      long bytes = PhysicalType.BOOL.dataLengthInBytes(rowCount);
      validity = context.allocator().allocate(bytes);
      Memory.fill(validity.address(), validity.capacityInBytes(), (byte) -1);
    }
    setBit(validity, row, false);
    nullCount++;
  }

  private static void setBit(MemoryBuffer bits, int row, boolean value) {
    long address = bits.address() + (row >>> 3);
    int bit = 1 << (row & 7);
    int old = Memory.getByte(address);
    Memory.putByte(address, (byte) (value ? old | bit : old & ~bit));
  }

  /** Returns the column, owned by the caller; it retains the heaps. */
  ColumnVector build(List<SharedBuffer> heaps) {
    heaps.forEach(SharedBuffer::retain);
    List<SharedBuffer> all = new ArrayList<>(heaps);
    ownHeaps.forEach(heap -> all.add(new SharedBuffer(heap)));
    ownHeaps.clear();
    ColumnVector column =
        new ColumnVector(type, kind, rowCount, data, validity, nullCount, all, List.of());
    data = null;
    validity = null;
    return column;
  }

  /** Frees the column unless it was built. */
  @Override
  public void close() {
    if (data != null) {
      data.close();
    }
    if (validity != null) {
      validity.close();
    }
    ownHeaps.forEach(MemoryBuffer::close);
  }
}
