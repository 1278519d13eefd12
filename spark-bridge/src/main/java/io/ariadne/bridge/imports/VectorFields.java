package io.ariadne.bridge.imports;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * Reads the arrays and addresses inside Spark's writable vectors, which have no accessors.
 *
 * <p>Fields: {@code OnHeapColumnVector.{nulls, byteData, shortData, intData, longData, floatData,
 * doubleData, arrayLengths, arrayOffsets}}, {@code OffHeapColumnVector.{nulls, lengthData,
 * offsetData}}, {@code WritableColumnVector.dictionary}: the same on Spark 3.5, 4.1 and 4.2.
 */
final class VectorFields {
  private static final VarHandle ON_NULLS = onHeap("nulls", byte[].class);
  private static final VarHandle ON_BYTES = onHeap("byteData", byte[].class);
  private static final VarHandle ON_SHORTS = onHeap("shortData", short[].class);
  private static final VarHandle ON_INTS = onHeap("intData", int[].class);
  private static final VarHandle ON_LONGS = onHeap("longData", long[].class);
  private static final VarHandle ON_FLOATS = onHeap("floatData", float[].class);
  private static final VarHandle ON_DOUBLES = onHeap("doubleData", double[].class);
  private static final VarHandle ON_LENGTHS = onHeap("arrayLengths", int[].class);
  private static final VarHandle ON_OFFSETS = onHeap("arrayOffsets", int[].class);
  private static final VarHandle OFF_NULLS = field(OffHeapColumnVector.class, "nulls", long.class);
  private static final VarHandle OFF_LENGTHS =
      field(OffHeapColumnVector.class, "lengthData", long.class);
  private static final VarHandle OFF_OFFSETS =
      field(OffHeapColumnVector.class, "offsetData", long.class);
  private static final VarHandle DICTIONARY =
      field(WritableColumnVector.class, "dictionary", Dictionary.class);

  private VectorFields() {}

  private static VarHandle onHeap(String name, Class<?> type) {
    return field(OnHeapColumnVector.class, name, type);
  }

  private static VarHandle field(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Returns one byte per row, 1 for null; meaningless when the vector is all null. */
  static byte[] nulls(OnHeapColumnVector vector) {
    return (byte[]) ON_NULLS.get(vector);
  }

  /** Returns the address of one byte per row, 1 for null; meaningless when all are null. */
  static long nulls(OffHeapColumnVector vector) {
    return (long) OFF_NULLS.get(vector);
  }

  static byte[] bytes(OnHeapColumnVector vector) {
    return (byte[]) ON_BYTES.get(vector);
  }

  static int[] ints(OnHeapColumnVector vector) {
    return (int[]) ON_INTS.get(vector);
  }

  static long[] longs(OnHeapColumnVector vector) {
    return (long[]) ON_LONGS.get(vector);
  }

  /** Returns the array of numbers of a width: bytes, shorts, ints or floats, longs or doubles. */
  static Object numbers(OnHeapColumnVector vector, int widthInBytes) {
    return switch (widthInBytes) {
      case Byte.BYTES -> bytes(vector);
      case Short.BYTES -> ON_SHORTS.get(vector);
      case Integer.BYTES -> first(ints(vector), ON_FLOATS.get(vector));
      default -> first(longs(vector), ON_DOUBLES.get(vector));
    };
  }

  private static Object first(Object one, Object other) {
    return one != null ? one : other;
  }

  /** Returns the length of each row's bytes or elements. */
  static int[] lengths(OnHeapColumnVector vector) {
    return (int[]) ON_LENGTHS.get(vector);
  }

  /** Returns the address of the 32-bit length of each row's bytes or elements. */
  static long lengths(OffHeapColumnVector vector) {
    return (long) OFF_LENGTHS.get(vector);
  }

  /** Returns where each row's bytes or elements begin in the child. */
  static int[] offsets(OnHeapColumnVector vector) {
    return (int[]) ON_OFFSETS.get(vector);
  }

  /** Returns the address of the 32-bit start of each row's bytes or elements in the child. */
  static long offsets(OffHeapColumnVector vector) {
    return (long) OFF_OFFSETS.get(vector);
  }

  /** Returns the dictionary, or null when the vector holds values. */
  static Dictionary dictionary(WritableColumnVector vector) {
    return (Dictionary) DICTIONARY.get(vector);
  }
}
