package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/** Builds columns of one bit per row. */
public final class BooleanBuilder extends ColumnBuilder {
  private final GrowableBuffer data;

  BooleanBuilder(DataType type, BufferAllocator allocator) {
    super(type, PhysicalType.BOOL, allocator);
    this.data = new GrowableBuffer(allocator, true);
  }

  /** Appends a value. */
  public void append(boolean value) {
    int row = rowCount();
    ensureRows(row + 1);
    endValue();
    if (value) {
      setBit(data.address(), row);
    }
  }

  @Override
  void ensureRows(int rows) {
    data.ensure(physicalType().dataLengthInBytes(rows));
  }

  @Override
  void prepareNull(int rows) {
    ensureRows(rows);
  }

  @Override
  void appendObject(Object value) {
    append((Boolean) value);
  }

  @Override
  void dropRows(int rows, int before) {
    clearBits(data.address(), rows, before);
  }

  @Override
  MemoryBuffer takeData(int rows) {
    return data.take(physicalType().dataLengthInBytes(rows));
  }

  @Override
  public void close() {
    super.close();
    data.close();
  }
}
