package io.ariadne.operator;

import java.util.Random;

/** Floating point numbers whose digits are of interest: all exponents, short decimals, edges. */
final class TextNumbers {
  private static final double[] DIVISORS = {1, 10, 100, 1000, 10_000, 1_000_000, 3, 7, 64};

  private TextNumbers() {}

  /** Returns a Float or a Double. */
  static Number next(Random random, boolean isFloat) {
    double any =
        switch (random.nextInt(8)) {
          case 0 -> random.nextInt(1_000_000) / DIVISORS[random.nextInt(DIVISORS.length)];
          case 1 -> (double) (random.nextLong() >> random.nextInt(Long.SIZE));
          case 2 -> Double.parseDouble(random.nextInt(100_000) + "e" + (random.nextInt(80) - 45));
          case 3 -> random.nextGaussian();
          default -> bits(random, isFloat);
        };
    double signed = random.nextInt(4) == 0 ? -any : any;
    if (isFloat) {
      float value = (float) signed;
      return Float.intBitsToFloat(Float.floatToRawIntBits(value) + random.nextInt(3) - 1);
    }
    return Double.longBitsToDouble(Double.doubleToRawLongBits(signed) + random.nextInt(3) - 1);
  }

  /** Random exponents with significands of all, few or no bits. */
  private static double bits(Random random, boolean isFloat) {
    int width = isFloat ? 23 : 52;
    long exponent = random.nextInt(isFloat ? 256 : 2048);
    long significand = random.nextLong() & -1L << random.nextInt(width + 1) & (1L << width) - 1;
    long bits = exponent << width | significand;
    return isFloat ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
  }
}
