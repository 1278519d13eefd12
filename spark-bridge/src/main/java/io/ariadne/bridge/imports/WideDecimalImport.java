package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import java.math.BigInteger;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Imports decimals of 19 to 38 digits, which Spark stores as big-endian bytes. */
final class WideDecimalImport extends ColumnImport {
  private final DecimalType decimal;

  WideDecimalImport(DataType type, BufferAllocator allocator) {
    super(type, allocator);
    this.decimal = (DecimalType) type;
  }

  @Override
  void appendValues(ColumnVector source, int start, int count, long target) {
    if (source instanceof OnHeapColumnVector vector && !vector.hasDictionary()) {
      copy(vector, start, count, target);
    } else if (!ArrowVectors.copyNumbers(source, physicalType(), start, count, target)) {
      copyRows(source, start, count, target);
    }
  }

  private void copyRows(ColumnVector source, int start, int count, long target) {
    boolean bytes = source instanceof WritableColumnVector;
    for (int i = 0; i < count; i++) {
      int row = start + i;
      long at = target + ((long) i << 4);
      if (source.isNullAt(row)) {
        put(at, 0, 0);
      } else if (bytes) {
        byte[] value = source.getBinary(row);
        putBigEndian(at, value, 0, value.length);
      } else {
        BigInteger value =
            source
                .getDecimal(row, decimal.precision(), decimal.scale())
                .toJavaBigDecimal()
                .unscaledValue();
        put(at, value.shiftRight(Long.SIZE).longValue(), value.longValue());
      }
    }
  }

  private static void copy(OnHeapColumnVector source, int start, int count, long target) {
    byte[] nulls = source.hasNull() ? VectorFields.nulls(source) : null;
    int[] lengths = VectorFields.lengths(source);
    int[] offsets = VectorFields.offsets(source);
    byte[] bytes = VectorFields.bytes((OnHeapColumnVector) source.getChild(0));
    for (int i = 0; i < count; i++) {
      int row = start + i;
      long at = target + ((long) i << 4);
      if (nulls != null && nulls[row] != 0) {
        put(at, 0, 0);
      } else {
        putBigEndian(at, bytes, offsets[row], lengths[row]);
      }
    }
  }

  private static void putBigEndian(long address, byte[] value, int offset, int length) {
    long sign = value[offset] < 0 ? -1 : 0;
    long high = sign;
    long low = sign;
    for (int i = offset; i < offset + length; i++) {
      high = high << Byte.SIZE | low >>> (Long.SIZE - Byte.SIZE);
      low = low << Byte.SIZE | (value[i] & 0xFF);
    }
    put(address, high, low);
  }

  private static void put(long address, long high, long low) {
    Memory.putLong(address, low);
    Memory.putLong(address + Long.BYTES, high);
  }
}
