package io.ariadne.columnar.type;

/**
 * Exact decimal numbers {@code unscaled / 10^scale}.
 *
 * @param precision digits of the unscaled value, 1 to 38
 * @param scale digits after the point, at most {@code precision}
 */
public record DecimalType(int precision, int scale) implements DataType {
  /** The largest precision. */
  public static final int MAX_PRECISION = 38;

  private static final int MAX_DIGITS_I32 = 9;
  private static final int MAX_DIGITS_I64 = 18;

  /** Checks the bounds. */
  public DecimalType {
    if (precision < 1 || precision > MAX_PRECISION || scale > precision) {
      throw new IllegalArgumentException("decimal(" + precision + "," + scale + ") is not valid");
    }
  }

  /**
   * Returns the width any value fits: I64 up to 18 digits (I32 is used only by batches that prove
   * it).
   */
  @Override
  public PhysicalType defaultPhysicalType() {
    return precision <= MAX_DIGITS_I64 ? PhysicalType.I64 : PhysicalType.I128;
  }

  /** Returns the narrowest layout that holds every value of this type. */
  public PhysicalType narrowestPhysicalType() {
    return precision <= MAX_DIGITS_I32 ? PhysicalType.I32 : defaultPhysicalType();
  }
}
