package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.DataType;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Imports numbers of 1 to 8 bytes, with one memory copy per vector of values, or one table lookup
 * per row of a vector with a dictionary. Widens decimals of at most 9 digits, which Spark stores in
 * 32 bits.
 */
final class FixedWidthImport extends ColumnImport {
  private final int width;
  private final NumberReader reader;
  private final NumberDictionary dictionary;

  FixedWidthImport(DataType type, BufferAllocator allocator) {
    super(type, allocator);
    this.width = physicalType().widthInBytes();
    this.reader = NumberReader.of(type);
    this.dictionary = new NumberDictionary(reader, width);
  }

  @Override
  void appendValues(ColumnVector source, int start, int count, long target) {
    if (ValidityImport.isAllNull(source)) {
      Memory.fill(target, (long) count * width, (byte) 0);
    } else if (source instanceof WritableColumnVector vector && vector.hasDictionary()) {
      dictionary.decode(vector, start, count, target);
    } else if (source instanceof OnHeapColumnVector vector) {
      copy(vector, start, count, target);
    } else if (source instanceof OffHeapColumnVector vector) {
      copy(vector, start, count, target);
    } else if (source instanceof ConstantColumnVector) {
      fill(source.isNullAt(0) ? 0 : reader.read(source, 0), count, target);
    } else if (!ArrowVectors.copyNumbers(source, physicalType(), start, count, target)) {
      copyRows(source, start, count, target);
    }
  }

  private void copy(OnHeapColumnVector source, int start, int count, long target) {
    if (isNarrowDecimal(source)) {
      int[] values = VectorFields.ints(source);
      for (int i = 0; i < count; i++) {
        Memory.putLong(target + ((long) i << 3), values[start + i]);
      }
    } else {
      Memory.copyElements(VectorFields.numbers(source, width), start, target, count);
    }
  }

  private void copy(OffHeapColumnVector source, int start, int count, long target) {
    if (isNarrowDecimal(source)) {
      long values = source.valuesNativeAddress() + ((long) start << 2);
      for (int i = 0; i < count; i++) {
        Memory.putLong(target + ((long) i << 3), Memory.getInt(values + ((long) i << 2)));
      }
    } else {
      Memory.copy(
          source.valuesNativeAddress() + (long) start * width, target, (long) count * width);
    }
  }

  private static boolean isNarrowDecimal(ColumnVector source) {
    return source.dataType() instanceof DecimalType type
        && type.precision() <= Decimal.MAX_INT_DIGITS();
  }

  private void fill(long value, int count, long target) {
    for (int i = 0; i < count; i++) {
      put(target + (long) i * width, value, width);
    }
  }

  private void copyRows(ColumnVector source, int start, int count, long target) {
    for (int i = 0; i < count; i++) {
      long value = source.isNullAt(start + i) ? 0 : reader.read(source, start + i);
      put(target + (long) i * width, value, width);
    }
  }

  /** Stores the low bytes of a value. */
  static void put(long address, long value, int width) {
    switch (width) {
      case Byte.BYTES -> Memory.putByte(address, (byte) value);
      case Short.BYTES -> Memory.putShort(address, (short) value);
      case Integer.BYTES -> Memory.putInt(address, (int) value);
      default -> Memory.putLong(address, value);
    }
  }
}
