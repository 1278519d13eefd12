package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/** Builds columns of signed 64-bit integers: numbers, microseconds, unscaled decimals. */
public final class LongBuilder extends FixedWidthBuilder {
  LongBuilder(DataType type, BufferAllocator allocator) {
    super(type, PhysicalType.I64, allocator);
  }

  /** Appends a value. */
  public void append(long value) {
    Memory.putLong(nextRow(), value);
    endValue();
  }

  @Override
  void appendObject(Object value) {
    append(integral(value));
  }
}
