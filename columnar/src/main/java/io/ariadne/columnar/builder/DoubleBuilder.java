package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/** Builds columns of double precision numbers; bits are kept as given. */
public final class DoubleBuilder extends FixedWidthBuilder {
  DoubleBuilder(DataType type, BufferAllocator allocator) {
    super(type, PhysicalType.F64, allocator);
  }

  /** Appends a value. */
  public void append(double value) {
    Memory.putDouble(nextRow(), value);
    endValue();
  }

  @Override
  void appendObject(Object value) {
    append((Double) value);
  }
}
