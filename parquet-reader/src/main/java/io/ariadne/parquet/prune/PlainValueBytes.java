package io.ariadne.parquet.prune;

import io.ariadne.columnar.type.DecimalType;
import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.parquet.metadata.LogicalKind;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.schema.ResolvedColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Converts values of a column to the bytes that the file stores for them, to look them up in bloom
 * filters.
 */
final class PlainValueBytes {
  private PlainValueBytes() {}

  /**
   * Returns the PLAIN bytes of the only stored value that is read as the given one, or null when
   * there may be several or none is known.
   */
  static byte[] plain(ResolvedColumn.Leaf column, Comparable<?> value) {
    if (column.calendar() != CalendarRebase.NONE) {
      return null;
    }
    if (value instanceof Long number) {
      return ofLong(column, number);
    }
    if (value instanceof Double number) {
      return ofDouble(column, number);
    }
    if (value instanceof BigDecimal number && column.type() instanceof DecimalType) {
      return ofDecimal(column.leaf(), number);
    }
    return value instanceof Bytes bytes && column.conversion() == null ? bytes.value() : null;
  }

  private static byte[] ofLong(ResolvedColumn.Leaf column, long value) {
    if (column.conversion() == null) {
      return null;
    }
    boolean isUnsigned =
        column.leaf().annotation().kind() == LogicalKind.INTEGER
            && !column.leaf().annotation().isSigned();
    return switch (column.conversion()) {
      case COPY_4, INT32_TO_I64, DATE ->
          value == (int) value && !isUnsigned ? littleEndian(value, Integer.BYTES) : null;
      case COPY_8, MICROS -> littleEndian(value, Long.BYTES);
      default -> null;
    };
  }

  private static byte[] ofDouble(ResolvedColumn.Leaf column, double value) {
    if (value == 0 || Double.isNaN(value)) {
      return null; // there are two zeros and many NaNs
    }
    if (column.leaf().kind() == PhysicalKind.DOUBLE) {
      return littleEndian(Double.doubleToRawLongBits(value), Long.BYTES);
    }
    boolean isExact = column.leaf().kind() == PhysicalKind.FLOAT && (float) value == value;
    return isExact ? littleEndian(Float.floatToRawIntBits((float) value), Integer.BYTES) : null;
  }

  private static byte[] ofDecimal(SchemaNode leaf, BigDecimal value) {
    int scale = StatisticsRanges.storedScale(leaf);
    BigDecimal stripped = value.stripTrailingZeros();
    if (stripped.scale() > scale || leaf.annotation().kind() != LogicalKind.DECIMAL) {
      return null;
    }
    BigInteger unscaled = stripped.setScale(scale).unscaledValue();
    return switch (leaf.kind()) {
      case INT32 ->
          unscaled.bitLength() < Integer.SIZE
              ? littleEndian(unscaled.longValue(), Integer.BYTES)
              : null;
      case INT64 ->
          unscaled.bitLength() < Long.SIZE ? littleEndian(unscaled.longValue(), Long.BYTES) : null;
      case FIXED_LEN_BYTE_ARRAY -> extended(unscaled, leaf.typeLength());
      default -> null;
    };
  }

  private static byte[] extended(BigInteger value, int length) {
    byte[] bytes = value.toByteArray();
    if (bytes.length > length) {
      return null;
    }
    byte[] result = new byte[length];
    Arrays.fill(result, (byte) (value.signum() < 0 ? -1 : 0));
    System.arraycopy(bytes, 0, result, length - bytes.length, bytes.length);
    return result;
  }

  private static byte[] littleEndian(long value, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (value >>> (Byte.SIZE * i));
    }
    return bytes;
  }
}
