package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/** Builds columns of signed 8-bit integers. */
public final class ByteBuilder extends FixedWidthBuilder {
  ByteBuilder(DataType type, BufferAllocator allocator) {
    super(type, PhysicalType.I8, allocator);
  }

  /** Appends a value. */
  public void append(byte value) {
    Memory.putByte(nextRow(), value);
    endValue();
  }

  @Override
  void appendObject(Object value) {
    append((Byte) value);
  }
}
