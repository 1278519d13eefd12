package io.ariadne.expression.compiler;

import io.ariadne.expression.FloatText;

/** Encodes how instructions round the digits of {@code Double.toString}. */
final class DigitRounding {
  private static final int PRECISION_SHIFT = 32;
  private static final long CLASSIC = 1L << 40;
  private static final long HALF_EVEN = 1L << 41;
  private static final long FLOAT = 1L << 42;

  private DigitRounding() {}

  /**
   * Returns the immediate of ROUND_DIGITS_F64.
   *
   * @param scale digits after the point
   * @param isHalfEven whether ties go to the even digit, else away from zero
   * @param isFloat whether the result is a float
   */
  static long toFloat(int scale, boolean isHalfEven, boolean isFloat) {
    return (scale & 0xffffffffL) | variant() | (isHalfEven ? HALF_EVEN : 0) | (isFloat ? FLOAT : 0);
  }

  /**
   * Returns the immediate of F64_TO_DECIMAL.
   *
   * @param precision digits of the result
   * @param scale digits of these after the point
   */
  static long toDecimal(int precision, int scale) {
    return scale | (long) precision << PRECISION_SHIFT | variant();
  }

  private static long variant() {
    return FloatText.OF_THIS_JVM == FloatText.CLASSIC ? CLASSIC : 0;
  }
}
