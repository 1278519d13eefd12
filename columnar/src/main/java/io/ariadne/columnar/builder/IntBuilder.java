package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/** Builds columns of signed 32-bit integers: numbers, days, months, unscaled decimals. */
public final class IntBuilder extends FixedWidthBuilder {
  IntBuilder(DataType type, BufferAllocator allocator) {
    super(type, PhysicalType.I32, allocator);
  }

  /** Appends a value. */
  public void append(int value) {
    Memory.putInt(nextRow(), value);
    endValue();
  }

  @Override
  void appendObject(Object value) {
    append(Math.toIntExact(integral(value)));
  }
}
