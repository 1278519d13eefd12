package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.PhysicalType;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.IntervalYearVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Gives access to the Arrow buffers of Spark's {@link ArrowColumnVector}, where their layout equals
 * ours.
 *
 * <p>Arrow classes are recognised exactly, as Spark's own accessors do. Other vectors are read row
 * by row.
 */
final class ArrowVectors {
  private ArrowVectors() {}

  /** Returns the Arrow vector if it is of a class with a known layout, else null. */
  private static FieldVector known(ColumnVector source) {
    // A subclass of ArrowColumnVector may change what its methods return.
    return source.getClass() == ArrowColumnVector.class
            && ((ArrowColumnVector) source).getValueVector() instanceof FieldVector vector
        ? vector
        : null;
  }

  /** Returns the address of the validity bitmap, or 0 when the source is no known Arrow vector. */
  static long validity(ColumnVector source) {
    FieldVector vector = known(source);
    return vector instanceof BaseFixedWidthVector || vector instanceof BaseVariableWidthVector
        ? vector.getValidityBuffer().memoryAddress()
        : 0;
  }

  /**
   * Returns the address of a bitmap of booleans, or 0 when the source is no Arrow vector of
   * booleans.
   */
  static long bits(ColumnVector source) {
    return known(source) instanceof BitVector vector ? vector.getDataBuffer().memoryAddress() : 0;
  }

  /**
   * Copies numbers.
   *
   * @param layout I8 to I128, F32 or F64
   * @return false when the source is no Arrow vector of that layout; nothing was copied
   */
  static boolean copyNumbers(
      ColumnVector source, PhysicalType layout, int start, int count, long target) {
    FieldVector vector = known(source);
    int width = layout.widthInBytes();
    if (vector instanceof DecimalVector decimals) {
      copyDecimals(decimals.getDataBuffer().memoryAddress(), width, start, count, target);
      return true;
    }
    if (vector == null || width(vector) != width) {
      return false;
    }
    long data = vector.getDataBuffer().memoryAddress();
    Memory.copy(data + (long) start * width, target, (long) count * width);
    return true;
  }

  private static void copyDecimals(long data, int width, int start, int count, long target) {
    long first = data + (long) start * DecimalVector.TYPE_WIDTH;
    for (int i = 0; i < count; i++) {
      // Little-endian: the low half of a value comes first.
      Memory.copy(first + (long) i * DecimalVector.TYPE_WIDTH, target + (long) i * width, width);
    }
  }

  private static int width(FieldVector vector) {
    Class<?> exactClass = vector.getClass();
    if (exactClass == TinyIntVector.class) {
      return Byte.BYTES;
    }
    if (exactClass == SmallIntVector.class) {
      return Short.BYTES;
    }
    if (exactClass == IntVector.class
        || exactClass == Float4Vector.class
        || exactClass == DateDayVector.class
        || exactClass == IntervalYearVector.class) {
      return Integer.BYTES;
    }
    boolean isLong =
        exactClass == BigIntVector.class
            || exactClass == Float8Vector.class
            || exactClass == TimeStampMicroVector.class
            || exactClass == TimeStampMicroTZVector.class
            || exactClass == DurationVector.class;
    return isLong ? Long.BYTES : 0;
  }

  /**
   * Appends strings or binary values as views.
   *
   * @return false when the source is no Arrow vector with 32-bit offsets; nothing was done
   */
  static boolean copyViews(
      ColumnVector source, HeapWriter heap, int start, int count, long target) {
    FieldVector vector = known(source);
    if (!(vector instanceof VarCharVector) && !(vector instanceof VarBinaryVector)) {
      return false;
    }
    long offsets = vector.getOffsetBuffer().memoryAddress() + ((long) start << 2);
    long data = vector.getDataBuffer().memoryAddress();
    for (int i = 0; i < count; i++) {
      int from = Memory.getInt(offsets + ((long) i << 2));
      int to = Memory.getInt(offsets + ((i + 1L) << 2));
      heap.append(target + (long) i * HeapWriter.VIEW_BYTES, data + from, to - from);
    }
    return true;
  }
}
