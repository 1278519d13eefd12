package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;

/** Builds columns of the type that has only nulls: a cleared validity bitmap and nothing else. */
public final class NullBuilder extends ColumnBuilder {
  NullBuilder(BufferAllocator allocator) {
    super(PrimitiveType.NULL, PhysicalType.NONE, allocator);
  }

  @Override
  void ensureRows(int rows) {}

  @Override
  void prepareNull(int rows) {}

  @Override
  void appendObject(Object value) {
    throw new IllegalArgumentException("a column of nulls cannot hold " + value);
  }

  @Override
  MemoryBuffer takeData(int rows) {
    throw new IllegalStateException("a column of nulls has no data");
  }
}
