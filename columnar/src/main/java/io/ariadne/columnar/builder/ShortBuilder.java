package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/** Builds columns of signed 16-bit integers. */
public final class ShortBuilder extends FixedWidthBuilder {
  ShortBuilder(DataType type, BufferAllocator allocator) {
    super(type, PhysicalType.I16, allocator);
  }

  /** Appends a value. */
  public void append(short value) {
    Memory.putShort(nextRow(), value);
    endValue();
  }

  @Override
  void appendObject(Object value) {
    append((Short) value);
  }
}
