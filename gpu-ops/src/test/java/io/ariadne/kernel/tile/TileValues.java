package io.ariadne.kernel.tile;

import java.math.BigInteger;
import java.util.Random;

/** Random operands with many edge cases among them. */
final class TileValues {
  private static final long[] EDGES = {
    0,
    1,
    -1,
    2,
    10,
    31,
    63,
    64,
    Long.MIN_VALUE,
    Long.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE,
    Integer.MAX_VALUE + 1L,
    999_999_999_999_999_999L,
    1_000_000_000_000_000_000L,
    -1_000_000_000_000_000_000L,
    3_037_000_499L,
    3_037_000_500L,
    -3_037_000_500L,
    1L << 53
  };
  private static final double[] DOUBLES = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MAX_VALUE,
    Double.MIN_NORMAL,
    0.5,
    1e-30,
    Math.nextDown(1.4336E26), // its text of JDK 17 is that of its neighbour
    -Math.nextDown(1.4336E26),
    2147483647.5,
    -2147483648.5,
    9.223372036854775807e18,
    -9.223372036854775808e18,
    1e300,
    Double.longBitsToDouble(0xfff8000000000001L),
    3.4028235e38,
    1.17549435e-38f
  };
  private static final int MAX_DIGITS = 38;

  private final Random random;

  TileValues(Random random) {
    this.random = random;
  }

  /** Any 64-bit integers. */
  long[] longs(int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (random.nextInt(4)) {
            case 0 -> EDGES[random.nextInt(EDGES.length)];
            case 1 -> random.nextInt(200) - 100;
            case 2 -> random.nextLong() >> random.nextInt(Long.SIZE);
            default -> random.nextLong();
          };
    }
    return values;
  }

  /** Any doubles, as their bits. */
  long[] doubles(int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (random.nextInt(4)) {
            case 0 -> Double.doubleToRawLongBits(DOUBLES[random.nextInt(DOUBLES.length)]);
            case 1 -> Double.doubleToRawLongBits(random.nextInt(20) - 10);
            case 2 -> Double.doubleToRawLongBits((random.nextDouble() - 0.5) * 1e12);
            default -> random.nextLong();
          };
    }
    return values;
  }

  /** Any days. */
  long[] days(int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextBoolean() ? random.nextInt(100_000) - 50_000 : random.nextInt();
    }
    return values;
  }

  /** Any 128-bit integers. */
  BigInteger[] wides(int count) {
    BigInteger[] values = new BigInteger[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (random.nextInt(4)) {
            case 0 -> BigInteger.valueOf(EDGES[random.nextInt(EDGES.length)]);
            case 1 -> BigInteger.ONE.shiftLeft(random.nextInt(127)).subtract(BigInteger.ONE);
            case 2 -> WideReference.wrap(BigInteger.ONE.shiftLeft(127));
            default -> WideReference.wrap(new BigInteger(random.nextInt(128) + 1, random));
          };
    }
    return values;
  }

  /** Unscaled decimals of at most 38 digits; many end in a 5 or in zeros. */
  BigInteger[] decimals(int count) {
    BigInteger[] values = new BigInteger[count];
    for (int i = 0; i < count; i++) {
      int digits = random.nextInt(MAX_DIGITS) + 1;
      BigInteger limit = BigInteger.TEN.pow(digits);
      BigInteger value =
          switch (random.nextInt(4)) {
            case 0 -> limit.subtract(BigInteger.ONE);
            case 1 -> BigInteger.valueOf(random.nextInt(9)).multiply(limit.divide(BigInteger.TEN));
            case 2 -> limit.divide(BigInteger.TWO);
            default -> new BigInteger(127, random).mod(limit);
          };
      values[i] = random.nextBoolean() ? value : value.negate();
    }
    return values;
  }

  boolean[] bits(int count, double probability) {
    boolean[] values = new boolean[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextDouble() < probability;
    }
    return values;
  }
}
