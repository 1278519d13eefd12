package io.ariadne.bridge.imports;

import io.ariadne.bridge.row.ValueWriter;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;

/** Imports lists, structs, maps and columns of nulls, value by value. */
final class NestedImport extends ColumnImport {
  private static final int BYTES_PER_ROW = 64;

  private final ColumnBuilder builder;
  private final ValueWriter writer;

  NestedImport(DataType type, BufferAllocator allocator) {
    super(type, allocator);
    this.builder = ColumnBuilder.create(type, allocator);
    this.writer = ValueWriter.create(builder);
  }

  @Override
  int rowCount() {
    return builder.rowCount();
  }

  @Override
  void ensure(int rows) {
    builder.reserve(rows - builder.rowCount());
  }

  @Override
  void append(ColumnVector source, int start, int count) {
    appendValues(source, start, count, 0);
  }

  @Override
  void appendValues(ColumnVector source, int start, int count, long target) {
    if (type() == PrimitiveType.NULL || ValidityImport.isAllNull(source)) {
      for (int i = 0; i < count; i++) {
        builder.appendNull();
      }
    } else {
      ColumnarArray values = new ColumnarArray(source, start, count);
      for (int i = 0; i < count; i++) {
        writer.write(values, i);
      }
    }
  }

  @Override
  long variableBytes() {
    return type() == PrimitiveType.NULL ? 0 : (long) rowCount() * BYTES_PER_ROW;
  }

  @Override
  io.ariadne.columnar.ColumnVector build() {
    return builder.build();
  }

  @Override
  public void close() {
    builder.close();
  }
}
