package io.ariadne.parquet.prune;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.metadata.LogicalAnnotation;
import io.ariadne.parquet.metadata.LogicalKind;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.metadata.Statistics;
import io.ariadne.parquet.schema.ResolvedColumn;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Converts a file's statistics to ranges of the column's converted values. Where a conversion may
 * not keep the order, or bounds cannot be relied on, the range is unknown.
 */
final class StatisticsRanges {
  /** 1582-10-15. The calendars differ before this day. */
  private static final long FIRST_GREGORIAN_DAY = -141_427;

  /** 1900-01-01T00:00Z. The calendars agree in every time zone from this instant on. */
  private static final long FIRST_MODERN_MICROS = -2_208_988_800_000_000L;

  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final long MICROS_PER_MILLI = 1_000;

  private StatisticsRanges() {}

  /**
   * Returns what is known about a column.
   *
   * @param column a column that is not nested
   * @param statistics the file's statistics
   * @param valueCount number of values, including nulls; negative when unknown
   */
  static ValueRange of(ResolvedColumn.Leaf column, Statistics statistics, long valueCount) {
    boolean isOptional = column.leaf().maxDefinitionLevel() > 0;
    boolean hasNulls = isOptional && statistics.nullCount() != 0;
    boolean isAllNull = isOptional && valueCount >= 0 && statistics.nullCount() == valueCount;
    ValueRange unknown = new ValueRange(null, null, !isAllNull, hasNulls);
    if (isAllNull || !statistics.hasBounds()) {
      return unknown;
    }
    Comparable<?> lower = bound(column, statistics.min(), false);
    Comparable<?> upper = bound(column, statistics.max(), !statistics.isFreeOfNan());
    if (lower == null || upper == null || ValueRange.compare(lower, upper) > 0) {
      return unknown;
    }
    if (!isSettled(column, lower, upper)) {
      return unknown;
    }
    return new ValueRange(lower, upper, true, hasNulls);
  }

  /** Returns whether conversion keeps the order and the values stay between the bounds. */
  private static boolean isSettled(
      ResolvedColumn.Leaf column, Comparable<?> lower, Comparable<?> upper) {
    if (column.calendar() != CalendarRebase.NONE) {
      boolean isDate = column.conversion() == ValueConversion.DATE;
      return (Long) lower >= (isDate ? FIRST_GREGORIAN_DAY : FIRST_MODERN_MICROS);
    }
    if (lower instanceof Long low && upper instanceof Long high) {
      return fits(column.layout(), low) && fits(column.layout(), high);
    }
    if (lower instanceof BigDecimal low && column.type() instanceof DecimalType decimal) {
      return fits(decimal, low) && fits(decimal, (BigDecimal) upper);
    }
    return true;
  }

  private static boolean fits(PhysicalType layout, long value) {
    return switch (layout) {
      case I8 -> value == (byte) value;
      case I16 -> value == (short) value;
      case I32 -> value == (int) value;
      default -> true;
    };
  }

  private static boolean fits(DecimalType type, BigDecimal value) {
    return value.precision() - value.scale() <= type.precision() - type.scale();
  }

  private static Comparable<?> bound(ResolvedColumn.Leaf column, byte[] bytes, boolean mayHideNan) {
    return switch (column.leaf().kind()) {
      case BOOLEAN -> bytes[0] == 0 ? 0L : 1L;
      case INT32 -> ofInt32(column, littleEndian(bytes));
      case INT64 -> ofInt64(column, littleEndian(bytes));
      case INT96 -> null;
      case FLOAT ->
          floating(Float.intBitsToFloat((int) littleEndian(bytes)), column.type(), mayHideNan);
      case DOUBLE ->
          floating(Double.longBitsToDouble(littleEndian(bytes)), column.type(), mayHideNan);
      case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> ofBytes(column, bytes);
    };
  }

  /**
   * Returns a floating-point bound. An upper bound that may ignore NaN is NaN, the largest value.
   */
  private static Comparable<?> floating(double value, DataType type, boolean mayHideNan) {
    boolean isFloating = type == PrimitiveType.FLOAT32 || type == PrimitiveType.FLOAT64;
    if (!isFloating || Double.isNaN(value)) {
      return null;
    }
    return mayHideNan ? (Comparable<?>) Double.NaN : ValueRange.ofDouble(value);
  }

  private static long littleEndian(byte[] bytes) {
    long value = 0;
    for (int i = bytes.length - 1; i >= 0; i--) {
      value = (value << Byte.SIZE) | (bytes[i] & 0xFF);
    }
    return value;
  }

  private static boolean isUnsigned(SchemaNode leaf) {
    LogicalAnnotation annotation = leaf.annotation();
    return annotation.kind() == LogicalKind.INTEGER && !annotation.isSigned();
  }

  private static Comparable<?> ofInt32(ResolvedColumn.Leaf column, long bits) {
    long value = isUnsigned(column.leaf()) ? bits & 0xFFFFFFFFL : (int) bits;
    if (column.type() instanceof DecimalType) {
      return new BigDecimal(BigInteger.valueOf(value), storedScale(column.leaf()));
    }
    return switch (column.conversion()) {
      case COPY_4, INT32_TO_I8, INT32_TO_I16, UINT32_TO_I64, DATE -> value;
      case INT32_TO_I64 -> isUnsigned(column.leaf()) ? null : (Comparable<?>) value;
      case INT32_TO_F64 ->
          isUnsigned(column.leaf()) ? null : (Comparable<?>) ValueRange.ofDouble(value);
      case DATE_TO_MICROS -> multiplied(value, MICROS_PER_DAY);
      default -> null;
    };
  }

  private static Comparable<?> ofInt64(ResolvedColumn.Leaf column, long value) {
    boolean isUnsigned = isUnsigned(column.leaf());
    if (column.type() instanceof DecimalType) {
      BigInteger number =
          isUnsigned ? new BigInteger(Long.toUnsignedString(value)) : BigInteger.valueOf(value);
      return new BigDecimal(number, storedScale(column.leaf()));
    }
    if (isUnsigned && value < 0) {
      return null;
    }
    return switch (column.conversion()) {
      case COPY_8, MICROS -> value;
      case MILLIS_TO_MICROS -> multiplied(value, MICROS_PER_MILLI);
      default -> null;
    };
  }

  private static Comparable<?> multiplied(long value, long factor) {
    long product = value * factor;
    return Math.multiplyHigh(value, factor) == product >> (Long.SIZE - 1) ? product : null;
  }

  static int storedScale(SchemaNode leaf) {
    return leaf.annotation().kind() == LogicalKind.DECIMAL ? leaf.annotation().scale() : 0;
  }

  private static Comparable<?> ofBytes(ResolvedColumn.Leaf column, byte[] bytes) {
    SchemaNode leaf = column.leaf();
    if (column.type() instanceof DecimalType) {
      boolean isWhole =
          leaf.kind() == PhysicalKind.FIXED_LEN_BYTE_ARRAY
              && bytes.length == leaf.typeLength()
              && bytes.length > 0;
      return isWhole ? new BigDecimal(new BigInteger(bytes), storedScale(leaf)) : null;
    }
    return switch (leaf.annotation().kind()) {
      case NONE, STRING, ENUM, JSON, BSON, UUID -> new Bytes(bytes);
      default -> null;
    };
  }
}
