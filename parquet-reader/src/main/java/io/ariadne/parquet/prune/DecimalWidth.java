package io.ariadne.parquet.prune;

import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.schema.ResolvedColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Finds the narrowest layout for the decimals of a column chunk, from its statistics. */
public final class DecimalWidth {
  private DecimalWidth() {}

  /**
   * Returns the narrowest layout that holds all decimals of a chunk according to the bounds that
   * the file states. If the bounds are wrong a value may not fit, so the conversion must reject
   * values that do not fit.
   *
   * @param column a column of decimals that is not nested
   * @param chunk its chunk, null if its statistics must not be used ({@link FilterPushdown})
   * @return I32, I64 or I128, never wider than the column's own layout
   */
  public static PhysicalType of(ResolvedColumn.Leaf column, ColumnChunk chunk) {
    int bits = Math.min(bitsOf(column.layout()), Math.max(storedBits(column), Integer.SIZE));
    ValueRange range =
        chunk == null
            ? ValueRange.UNKNOWN
            : StatisticsRanges.of(column, chunk.statistics(), chunk.valueCount());
    if (range.lower() instanceof BigDecimal lower && range.upper() instanceof BigDecimal upper) {
      int scale = ((DecimalType) column.type()).scale();
      bits = Math.min(bits, Math.max(bitsOf(lower, scale), bitsOf(upper, scale)));
    }
    return bits <= Integer.SIZE
        ? PhysicalType.I32
        : bits <= Long.SIZE ? PhysicalType.I64 : PhysicalType.I128;
  }

  private static int bitsOf(PhysicalType layout) {
    return layout.widthInBytes() * Byte.SIZE;
  }

  /** Returns the bits of a stored value if the column has the same scale. */
  private static int storedBits(ResolvedColumn.Leaf column) {
    PhysicalKind kind = column.leaf().kind();
    boolean isInteger = kind == PhysicalKind.INT32 || kind == PhysicalKind.INT64;
    return isInteger && column.scale() == 0 ? kind.widthInBytes() * Byte.SIZE : Integer.MAX_VALUE;
  }

  private static int bitsOf(BigDecimal bound, int scale) {
    BigInteger unscaled = bound.setScale(scale, RoundingMode.UNNECESSARY).unscaledValue();
    return unscaled.bitLength() + 1;
  }
}
