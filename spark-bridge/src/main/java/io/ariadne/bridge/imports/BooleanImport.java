package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Imports booleans, converting Spark's one byte per row to a bit. */
final class BooleanImport extends ColumnImport {
  private final BitmapWriter bits;
  private final ValidityImport validity;

  BooleanImport(DataType type, BufferAllocator allocator) {
    super(type, allocator);
    this.bits = new BitmapWriter(allocator);
    this.validity = new ValidityImport(allocator);
  }

  @Override
  int rowCount() {
    return validity.rowCount();
  }

  @Override
  void ensure(int rows) {
    validity.ensure(rows);
    bits.ensure(rows);
  }

  @Override
  void append(ColumnVector source, int start, int count) {
    appendValues(source, start, count, 0);
    validity.append(source, start, count);
  }

  @Override
  void appendValues(ColumnVector source, int start, int count, long target) {
    if (ValidityImport.isAllNull(source)) {
      bits.appendRun(false, count);
    } else if (source instanceof OnHeapColumnVector vector && !vector.hasDictionary()) {
      bits.appendBytes(VectorFields.bytes(vector), start, count, false);
    } else if (source instanceof OffHeapColumnVector vector && !vector.hasDictionary()) {
      bits.appendBytes(vector.valuesNativeAddress() + start, count, false);
    } else if (ArrowVectors.bits(source) != 0) {
      bits.appendBitmap(ArrowVectors.bits(source), start, count);
    } else {
      appendRows(source, start, count);
    }
  }

  private void appendRows(ColumnVector source, int start, int count) {
    for (int row = 0; row < count; row += Long.SIZE) {
      int chunk = Math.min(Long.SIZE, count - row);
      long word = 0;
      for (int i = 0; i < chunk; i++) {
        int at = start + row + i;
        word |= (!source.isNullAt(at) && source.getBoolean(at) ? 1L : 0L) << i;
      }
      bits.append(word, chunk);
    }
  }

  @Override
  io.ariadne.columnar.ColumnVector build() {
    int rows = rowCount();
    int nulls = validity.nullCount();
    MemoryBuffer data = bits.take();
    return new io.ariadne.columnar.ColumnVector(
        type(), physicalType(), rows, data, validity.take(), nulls, List.of(), List.of());
  }

  @Override
  public void close() {
    super.close();
    bits.close();
    validity.close();
  }
}
