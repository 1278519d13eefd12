package io.ariadne.it.sql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Random;

/** Values of Spark's types, about half of them boundary values. */
public final class EdgeValues {
  private static final List<String> STRINGS =
      List.of(
          "",
          " ",
          "a",
          "A",
          "abcdefghijkl",
          "abcdefghijklm",
          "abcdefghijkLm",
          "ä",
          "日本語のテキスト",
          "\u0000",
          "zz\uD83D\uDE00",
          "1",
          "-1.5",
          "NaN");
  private static final List<LocalDate> DATES =
      List.of(
          LocalDate.of(1, 1, 1),
          LocalDate.of(1582, 10, 4),
          LocalDate.of(1582, 10, 15),
          LocalDate.of(1969, 12, 31),
          LocalDate.of(1970, 1, 1),
          LocalDate.of(2000, 2, 29),
          LocalDate.of(1900, 2, 28),
          LocalDate.of(9999, 12, 31));

  private final Random random;

  /**
   * Creates a source of values.
   *
   * @param random where they come from
   */
  public EdgeValues(Random random) {
    this.random = random;
  }

  /**
   * Returns one of few strings: empty, inline and longer ones, numbers, characters of any length.
   */
  public String word() {
    return pick(STRINGS);
  }

  /** Returns an integer of a range, its ends and their neighbours included. */
  public long integer(long min, long max) {
    return switch (random.nextInt(8)) {
      case 0 -> min;
      case 1 -> max;
      case 2 -> 0;
      case 3 -> -1;
      case 4 -> 1;
      case 5 -> min + 1;
      default ->
          random.nextInt(4) == 0 ? random.nextLong() % Math.max(1, max) : random.nextInt(100);
    };
  }

  /** Returns a double, NaN, infinities and zeros of both signs included. */
  public double floating() {
    return switch (random.nextInt(10)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> 0.0;
      case 3 -> Double.POSITIVE_INFINITY;
      case 4 -> Double.NEGATIVE_INFINITY;
      case 5 -> Double.MIN_VALUE;
      case 6 -> -Double.MAX_VALUE;
      case 7 -> 1e10;
      default -> random.nextGaussian() * 100;
    };
  }

  /** Returns a decimal of a type, the largest and smallest included. */
  public BigDecimal decimal(int precision, int scale) {
    BigInteger limit = BigInteger.TEN.pow(precision);
    BigInteger unscaled =
        switch (random.nextInt(9)) {
          case 0 -> limit.subtract(BigInteger.ONE);
          case 1 -> limit.subtract(BigInteger.ONE).negate();
          case 2 -> BigInteger.ZERO;
          case 3 -> BigInteger.ONE;
          case 4 -> BigInteger.valueOf(-random.nextInt(1000));
          case 5 -> new BigInteger(limit.bitLength() + 8, random).mod(limit).negate();
          case 6 -> BigInteger.ONE.negate();
          default -> BigInteger.valueOf(random.nextInt(100_000));
        };
    return new BigDecimal(unscaled, scale);
  }

  /** Returns a date of the years 1 to 9999, days about changes of the calendar included. */
  public LocalDate date() {
    return random.nextBoolean()
        ? pick(DATES)
        : LocalDate.of(1992, 1, 1).plusDays(random.nextInt(3000));
  }

  /** Returns a timestamp to the microsecond, midnight included. */
  public LocalDateTime timestamp() {
    LocalDateTime start = date().atStartOfDay();
    return switch (random.nextInt(3)) {
      case 0 -> start;
      case 1 -> start.plusNanos(1000);
      default -> start.plusSeconds(random.nextInt(86_400)).plusNanos(999_999_000);
    };
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
