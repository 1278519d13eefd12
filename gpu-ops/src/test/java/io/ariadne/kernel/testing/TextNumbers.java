package io.ariadne.kernel.testing;

import java.util.Random;

/** Floating point numbers whose digits are of interest: all exponents, short decimals, edges. */
public final class TextNumbers {
  private static final double[] DIVISORS = {1, 10, 100, 1000, 10_000, 1_000_000, 3, 7, 64};

  private static final String[] NAMES = {
    "NaN",
    "-NaN",
    "nan",
    "-nan",
    "Inf",
    "+inf",
    "-INF",
    "infinity",
    "-Infinity",
    "+INFINITY",
    "infinite",
    "+\0\0\0\0\0inf",
    "-\0\0\0\0\0NaN",
    "\0\0\0\0\0nan",
    "in",
    "",
    "-",
    "+",
    ".",
    "e",
    "1e",
    "1e+",
    ".e1",
    "-.",
    "1.2.3",
    "0x",
    "--1",
    "1_0"
  };

  private static final String[] SUFFIXES = {"", "", "", "", "f", "D", "d ", "F", "df", " d"};

  private TextNumbers() {}

  /** Returns a string that says one, or nearly so; its digits are at most 19. */
  public static String nextText(Random random, boolean isFloat) {
    String text =
        switch (random.nextInt(6)) {
          case 0 -> next(random, isFloat).toString();
          case 1 -> next(random, false).toString();
          case 2 -> Long.toString(random.nextLong() >> random.nextInt(Long.SIZE));
          case 3 -> (random.nextLong() >>> 2) + "e" + (random.nextInt(700) - 370);
          case 4 -> NAMES[random.nextInt(NAMES.length)].replace("0x", "0");
          default -> decimal(random) + exponent(random);
        };
    text += SUFFIXES[random.nextInt(SUFFIXES.length)];
    return random.nextInt(6) == 0 ? " \t" + text + "\u0003" : text;
  }

  private static String decimal(Random random) {
    String zeros = "0".repeat(random.nextInt(4) * random.nextInt(60));
    String digits = Long.toString(random.nextLong() >>> (4 + random.nextInt(56)));
    int point = random.nextInt(digits.length() + 1);
    String number = digits.substring(0, point) + "." + digits.substring(point);
    String sign = new String[] {"", "-", "+"}[random.nextInt(3)];
    return sign + (random.nextBoolean() ? zeros + number : "0." + zeros + digits + zeros);
  }

  private static String exponent(Random random) {
    if (random.nextInt(3) > 0) {
      return "";
    }
    String sign = new String[] {"", "-", "+"}[random.nextInt(3)];
    return (random.nextBoolean() ? "e" : "E") + sign + (random.nextInt(1000) >> random.nextInt(9));
  }

  /** Returns a Float or a Double. */
  public static Number next(Random random, boolean isFloat) {
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
