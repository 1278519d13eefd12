package io.ariadne.parquet.schema;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.metadata.LogicalAnnotation;
import io.ariadne.parquet.metadata.LogicalKind;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.metadata.TimestampUnit;
import io.ariadne.parquet.schema.LeafConversion.CalendarUse;

/**
 * Decides which stored types can be read as which requested types, and how.
 *
 * <p>Source: {@code ParquetVectorUpdaterFactory.getUpdater} of Spark 3.5.8 and 4.1.3. One
 * difference: a decimal of at most nine digits that is stored in eight bytes, or as bytes, and
 * exceeds 32 bits is not truncated to 32 bits.
 */
final class ConversionRules {
  /** Integral digits that hold any INT32, as Spark counts them ({@code DecimalType.IntDecimal}). */
  private static final int INT32_DIGITS = 10;

  private static final int INT64_DIGITS = 20;
  private static final int MAX_LONG_DIGITS = 18;
  private static final int MAX_INT_DIGITS = 9;
  private static final DecimalType UNSIGNED_LONG = new DecimalType(INT64_DIGITS, 0);

  private final boolean widens;

  ConversionRules(boolean widens) {
    this.widens = widens;
  }

  /** Returns how a leaf is read as the requested type, null when it cannot be. */
  LeafConversion find(SchemaNode leaf, DataType wanted) {
    return switch (leaf.kind()) {
      case BOOLEAN ->
          wanted == PrimitiveType.BOOLEAN ? LeafConversion.of(null, PhysicalType.BOOL) : null;
      case INT32 -> fromInt32(leaf, wanted);
      case INT64 -> fromInt64(leaf, wanted);
      case INT96 -> fromInt96(wanted);
      case FLOAT -> fromFloat(wanted);
      case DOUBLE ->
          wanted == PrimitiveType.FLOAT64
              ? LeafConversion.of(ValueConversion.COPY_8, PhysicalType.F64)
              : null;
      case BYTE_ARRAY -> fromBytes(leaf, wanted);
      case FIXED_LEN_BYTE_ARRAY -> fromFixedBytes(leaf, wanted);
    };
  }

  private LeafConversion fromInt32(SchemaNode leaf, DataType wanted) {
    if (wanted instanceof DecimalType decimal) {
      return fromInteger(leaf, decimal, MAX_INT_DIGITS);
    }
    if (!(wanted instanceof PrimitiveType primitive)) {
      return null;
    }
    return switch (primitive) {
      case INT32, INTERVAL_YEAR_MONTH -> LeafConversion.of(ValueConversion.COPY_4);
      case INT8 -> LeafConversion.of(ValueConversion.INT32_TO_I8);
      case INT16 -> LeafConversion.of(ValueConversion.INT32_TO_I16);
      case INT64 ->
          isUnsigned(leaf, Integer.SIZE)
              ? LeafConversion.of(ValueConversion.UINT32_TO_I64)
              : ifWidening(LeafConversion.of(ValueConversion.INT32_TO_I64));
      case FLOAT64 -> ifWidening(LeafConversion.of(ValueConversion.INT32_TO_F64));
      case DATE32 -> LeafConversion.of(ValueConversion.DATE, CalendarUse.DATE);
      case TIMESTAMP_NTZ_MICROS ->
          leaf.annotation().kind() == LogicalKind.DATE
              ? ifWidening(LeafConversion.of(ValueConversion.DATE_TO_MICROS, CalendarUse.DATE))
              : null;
      default -> null;
    };
  }

  private LeafConversion fromInt64(SchemaNode leaf, DataType wanted) {
    if (wanted instanceof DecimalType decimal) {
      return decimal.equals(UNSIGNED_LONG) && isUnsigned(leaf, Long.SIZE)
          ? LeafConversion.of(ValueConversion.UINT64_TO_I128)
          : fromInteger(leaf, decimal, MAX_LONG_DIGITS);
    }
    if (!(wanted instanceof PrimitiveType primitive)) {
      return null;
    }
    return switch (primitive) {
      case INT64, INTERVAL_DAY_TIME -> LeafConversion.of(ValueConversion.COPY_8);
      case TIMESTAMP_MICROS -> fromTimestamp(leaf, CalendarUse.TIMESTAMP);
      case TIMESTAMP_NTZ_MICROS ->
          widens || !leaf.annotation().isAdjustedToUtc()
              ? fromTimestamp(leaf, CalendarUse.NONE)
              : null;
      default -> null;
    };
  }

  private static LeafConversion fromTimestamp(SchemaNode leaf, CalendarUse calendar) {
    LogicalAnnotation annotation = leaf.annotation();
    if (annotation.kind() != LogicalKind.TIMESTAMP || annotation.unit() == TimestampUnit.NANOS) {
      return null;
    }
    return LeafConversion.of(
        annotation.unit() == TimestampUnit.MICROS
            ? ValueConversion.MICROS
            : ValueConversion.MILLIS_TO_MICROS,
        calendar);
  }

  private LeafConversion fromInt96(DataType wanted) {
    if (wanted == PrimitiveType.TIMESTAMP_MICROS) {
      return LeafConversion.of(ValueConversion.INT96_TO_MICROS, CalendarUse.INT96);
    }
    return wanted == PrimitiveType.TIMESTAMP_NTZ_MICROS
        ? ifWidening(LeafConversion.of(ValueConversion.INT96_TO_MICROS))
        : null;
  }

  private LeafConversion fromFloat(DataType wanted) {
    if (wanted == PrimitiveType.FLOAT32) {
      return LeafConversion.of(ValueConversion.COPY_4, PhysicalType.F32);
    }
    return wanted == PrimitiveType.FLOAT64
        ? ifWidening(LeafConversion.of(ValueConversion.FLOAT_TO_F64))
        : null;
  }

  private LeafConversion fromBytes(SchemaNode leaf, DataType wanted) {
    if (wanted == PrimitiveType.STRING || wanted == PrimitiveType.BINARY) {
      return LeafConversion.of(null, PhysicalType.VIEW16);
    }
    boolean isReadable =
        wanted instanceof DecimalType decimal
            && isMatched(leaf, decimal)
            && (widens || decimal.precision() > MAX_LONG_DIGITS);
    return isReadable ? scaled(leaf, (DecimalType) wanted, null) : null;
  }

  private LeafConversion fromFixedBytes(SchemaNode leaf, DataType wanted) {
    if (wanted == PrimitiveType.BINARY) {
      return LeafConversion.of(null, PhysicalType.VIEW16);
    }
    return wanted instanceof DecimalType decimal && isMatched(leaf, decimal)
        ? scaled(leaf, decimal, ValueConversion.BIG_ENDIAN_TO_DECIMAL128)
        : null;
  }

  /**
   * Reads an integer as a decimal. Spark 3.5 supports only decimals of the integer's own digits.
   */
  private LeafConversion fromInteger(SchemaNode leaf, DecimalType wanted, int digits) {
    if (!isMatched(leaf, wanted) || (!widens && wanted.precision() > digits)) {
      return null;
    }
    return scaled(
        leaf,
        wanted,
        leaf.kind() == PhysicalKind.INT32
            ? ValueConversion.INT32_TO_DECIMAL128
            : ValueConversion.INT64_TO_DECIMAL128);
  }

  private static LeafConversion scaled(
      SchemaNode leaf, DecimalType wanted, ValueConversion conversion) {
    PhysicalType layout = wanted.defaultPhysicalType();
    int stored = leaf.annotation().kind() == LogicalKind.DECIMAL ? leaf.annotation().scale() : 0;
    return new LeafConversion(
        conversion == null || layout == PhysicalType.I128 ? conversion : narrow(conversion),
        layout,
        wanted.scale() - stored,
        CalendarUse.NONE);
  }

  private static ValueConversion narrow(ValueConversion conversion) {
    return switch (conversion) {
      case INT32_TO_DECIMAL128 -> ValueConversion.INT32_TO_DECIMAL64;
      case INT64_TO_DECIMAL128 -> ValueConversion.INT64_TO_DECIMAL64;
      default -> ValueConversion.BIG_ENDIAN_TO_DECIMAL64;
    };
  }

  /** Implements {@code isDecimalTypeMatched}. */
  private boolean isMatched(SchemaNode leaf, DecimalType wanted) {
    LogicalAnnotation stored = leaf.annotation();
    if (stored.kind() == LogicalKind.DECIMAL) {
      if (stored.scale() < 0 || stored.precision() < Math.max(stored.scale(), 1)) {
        return false; // no decimal; near 2^31 the sum below overflows
      }
      int moreScale = wanted.scale() - stored.scale();
      int morePrecision = wanted.precision() - stored.precision();
      return widens
          ? moreScale >= 0 && morePrecision >= moreScale
          : moreScale == 0 && morePrecision >= 0;
    }
    boolean isInteger =
        stored.kind() == LogicalKind.NONE
            || (stored.kind() == LogicalKind.INTEGER && stored.isSigned());
    if (!widens || !isInteger) {
      return false;
    }
    int digits = wanted.precision() - wanted.scale();
    return (leaf.kind() == PhysicalKind.INT32 && digits >= INT32_DIGITS)
        || (leaf.kind() == PhysicalKind.INT64 && digits >= INT64_DIGITS);
  }

  private LeafConversion ifWidening(LeafConversion conversion) {
    return widens ? conversion : null;
  }

  private static boolean isUnsigned(SchemaNode leaf, int bits) {
    LogicalAnnotation annotation = leaf.annotation();
    return annotation.kind() == LogicalKind.INTEGER
        && !annotation.isSigned()
        && annotation.bitWidth() == bits;
  }
}
