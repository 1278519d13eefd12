package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.math.BigInteger;

/** Base of builders whose rows all take the same number of bytes. */
abstract class FixedWidthBuilder extends ColumnBuilder {
  private final GrowableBuffer data;
  private final int widthInBytes;

  FixedWidthBuilder(DataType type, PhysicalType physicalType, BufferAllocator allocator) {
    super(type, physicalType, allocator);
    this.data = new GrowableBuffer(allocator, false);
    this.widthInBytes = physicalType.widthInBytes();
  }

  /** Returns the address of the next row after ensuring memory for it. */
  final long nextRow() {
    long end = (rowCount() + 1L) * widthInBytes;
    data.ensure(end);
    return data.address() + end - widthInBytes;
  }

  @Override
  final void ensureRows(int rows) {
    data.ensure((long) rows * widthInBytes);
  }

  @Override
  final void prepareNull(int rows) {
    Memory.fill(nextRow(), widthInBytes, (byte) 0);
  }

  @Override
  final MemoryBuffer takeData(int rows) {
    return data.take(physicalType().dataLengthInBytes(rows));
  }

  @Override
  public void close() {
    super.close();
    data.close();
  }

  /** Accepts an integer of the layout's own class or the unscaled value of a decimal. */
  static long integral(Object value) {
    return value instanceof BigInteger unscaled
        ? unscaled.longValueExact()
        : ((Number) value).longValue();
  }
}
