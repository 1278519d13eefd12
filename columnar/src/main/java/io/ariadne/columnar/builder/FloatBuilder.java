package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/** Builds columns of single precision numbers; bits are kept as given. */
public final class FloatBuilder extends FixedWidthBuilder {
  FloatBuilder(DataType type, BufferAllocator allocator) {
    super(type, PhysicalType.F32, allocator);
  }

  /** Appends a value. */
  public void append(float value) {
    Memory.putFloat(nextRow(), value);
    endValue();
  }

  @Override
  void appendObject(Object value) {
    append((Float) value);
  }
}
