package io.ariadne.operator.aggregate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Collection;

/**
 * Computes the sums of doubles that the kernels guarantee, with {@link BigInteger}: truncates every
 * value towards zero some bits below the leading bit of the largest value, adds the rest exactly
 * and rounds once.
 */
public final class ReferenceFloatSum {
  private static final int BIN_BITS = 26;
  private static final int SMALLEST_EXPONENT = -1074;
  private static final int FRACTION_BITS = 52;

  private ReferenceFloatSum() {}

  /** Returns the sum of floats and doubles. */
  public static double of(Collection<?> values) {
    double special = 0;
    int largest = 0;
    for (Object value : values) {
      double number = ((Number) value).doubleValue();
      if (Double.isFinite(number)) {
        largest = Math.max(largest, position(number));
      } else {
        special += number;
      }
    }
    if (special != 0) {
      return special;
    }
    int cut = BIN_BITS * Math.max(0, largest / BIN_BITS - 1);
    BigInteger sum = BigInteger.ZERO;
    for (Object value : values) {
      sum = sum.add(units(((Number) value).doubleValue(), cut));
    }
    return rounded(sum, cut + SMALLEST_EXPONENT);
  }

  /** Returns how many bits above the smallest denormal a number's unit in the last place is. */
  private static int position(double number) {
    return Math.max(Math.getExponent(number), Double.MIN_EXPONENT)
        - FRACTION_BITS
        - SMALLEST_EXPONENT;
  }

  private static BigInteger units(double number, int cut) {
    long digits = Math.round(Math.scalb(Math.abs(number), -position(number) - SMALLEST_EXPONENT));
    BigInteger units = BigInteger.valueOf(digits).shiftLeft(position(number)).shiftRight(cut);
    return number < 0 ? units.negate() : units;
  }

  private static double rounded(BigInteger sum, int exponent) {
    BigDecimal exact = new BigDecimal(sum);
    BigDecimal power = new BigDecimal(2).pow(Math.abs(exponent));
    BigDecimal value =
        exponent >= 0 ? exact.multiply(power) : exact.divide(power, MathContext.UNLIMITED);
    return value.doubleValue();
  }
}
