package io.ariadne.parquet.prune;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * What is known about the values of an expression over a set of rows.
 *
 * <p>Values are comparables of one class per type: {@code Long} for integers, dates, timestamps,
 * intervals and booleans (0 and 1), {@code Double} for floating-point numbers (one zero; NaN is the
 * largest value), {@code BigDecimal} for decimals, {@link Bytes} for strings and binaries.
 *
 * @param lower lower bound, inclusive, null when unknown
 * @param upper upper bound, inclusive, null when unknown
 * @param hasValues whether there may be values that are not null
 * @param hasNulls whether there may be nulls
 */
record ValueRange(Comparable<?> lower, Comparable<?> upper, boolean hasValues, boolean hasNulls) {
  /** Nothing is known. */
  static final ValueRange UNKNOWN = new ValueRange(null, null, true, true);

  /** Only nulls. */
  static final ValueRange NULLS = new ValueRange(null, null, false, true);

  static ValueRange point(Comparable<?> value) {
    return new ValueRange(value, value, true, false);
  }

  /** Returns the range of a literal's value. */
  static ValueRange ofLiteral(Object value, DataType type) {
    if (value == null) {
      return NULLS;
    }
    Comparable<?> comparable = comparable(value, type);
    return comparable == null ? new ValueRange(null, null, true, false) : point(comparable);
  }

  /** Returns the comparable of a value in {@code Literal}'s convention, null if it has none. */
  static Comparable<?> comparable(Object value, DataType type) {
    if (value instanceof BigInteger unscaled && type instanceof DecimalType decimal) {
      return new BigDecimal(unscaled, decimal.scale());
    }
    if (value instanceof Float || value instanceof Double) {
      return ofDouble(((Number) value).doubleValue());
    }
    if (value instanceof Boolean flag) {
      return flag ? 1L : 0L;
    }
    if (value instanceof byte[] bytes) {
      return new Bytes(bytes);
    }
    boolean isInteger =
        value instanceof Byte
            || value instanceof Short
            || value instanceof Integer
            || value instanceof Long;
    return isInteger && type instanceof PrimitiveType ? ((Number) value).longValue() : null;
  }

  /** Returns the comparable of a floating-point number. */
  static Double ofDouble(double value) {
    return value == 0 ? 0.0 : value;
  }

  /** Returns whether all values that are not null are the same known value. */
  boolean isPoint() {
    return lower != null && upper != null && compare(lower, upper) == 0;
  }

  ValueRange withNulls(boolean nulls) {
    return new ValueRange(lower, upper, hasValues, nulls);
  }

  /** Compares two values of one class. */
  @SuppressWarnings("unchecked")
  static int compare(Comparable<?> left, Comparable<?> right) {
    return ((Comparable<Object>) left).compareTo(right);
  }

  /** Returns whether the bounds of both ranges can be compared. */
  boolean isComparableTo(ValueRange other) {
    Class<?> here = domain();
    Class<?> there = other.domain();
    return here == null || there == null || here == there;
  }

  private Class<?> domain() {
    return lower != null ? lower.getClass() : upper != null ? upper.getClass() : null;
  }
}
