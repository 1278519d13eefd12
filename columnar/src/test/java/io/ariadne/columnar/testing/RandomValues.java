package io.ariadne.columnar.testing;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Random and edge values of the types without children. */
final class RandomValues {
  private static final int EDGE_ONE_IN = 4;
  private static final int MAX_STRING_BYTES = 40;

  private static final long[] LONGS = {
    0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE
  };
  private static final int[] INTS = {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 65_536};
  // -719162 is 0001-01-01, 2932896 is 9999-12-31, 11016 is 2000-02-29.
  private static final int[] DAYS = {0, -1, 11_016, -719_162, 2_932_896, 18_321};
  private static final double[] DOUBLES = {
    0.0,
    -0.0,
    1.0,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MAX_VALUE,
    Double.MIN_NORMAL
  };
  private static final float[] FLOATS = {
    0.0f,
    -0.0f,
    1.0f,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.MIN_VALUE,
    -Float.MAX_VALUE,
    Float.MIN_NORMAL
  };

  /** Empty, inline, exactly 12 and 13 bytes, multi-byte, equal prefixes, embedded zero, long. */
  private static final String[] STRINGS = {
    "",
    "a",
    "abcd",
    "twelve bytes",
    "thirteen byte",
    "twelve bytes and more, with the same prefix",
    "\u00e9",
    "\u4e16\u754c",
    "\ud83e\uddf5 Ariadne's thread \ud83e\uddf5",
    "zero\u0000inside",
    " ",
    "\uffff"
  };

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  /** Returns a value that is not null. */
  Object flat(DataType type) {
    boolean edge = random.nextInt(EDGE_ONE_IN) == 0;
    if (type instanceof DecimalType decimal) {
      return decimal(decimal, edge);
    }
    return switch ((PrimitiveType) type) {
      case BOOLEAN -> (Object) random.nextBoolean();
      case INT8 -> (byte) random.nextInt();
      case INT16 -> (short) (edge ? LONGS[random.nextInt(LONGS.length)] : random.nextInt());
      case INT32, INTERVAL_YEAR_MONTH ->
          edge ? INTS[random.nextInt(INTS.length)] : random.nextInt();
      case DATE32 -> edge ? DAYS[random.nextInt(DAYS.length)] : random.nextInt(40_000) - 10_000;
      case INT64, TIMESTAMP_MICROS, TIMESTAMP_NTZ_MICROS, INTERVAL_DAY_TIME ->
          edge ? LONGS[random.nextInt(LONGS.length)] : random.nextLong();
      case FLOAT32 ->
          edge ? FLOATS[random.nextInt(FLOATS.length)] : (float) (random.nextGaussian() * 1e6);
      case FLOAT64 -> edge ? DOUBLES[random.nextInt(DOUBLES.length)] : random.nextGaussian() * 1e9;
      case STRING -> (edge ? edgeString() : text()).getBytes(StandardCharsets.UTF_8);
      case BINARY -> bytes();
      case NULL -> throw new IllegalArgumentException("the null type has no values");
    };
  }

  private BigInteger decimal(DecimalType type, boolean edge) {
    BigInteger bound = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
    if (!edge) {
      BigInteger wide = new BigInteger(bound.bitLength() + Byte.SIZE, random).mod(bound);
      return random.nextBoolean() ? wide : wide.negate();
    }
    return switch (random.nextInt(5)) {
      case 0 -> bound;
      case 1 -> bound.negate();
      case 2 -> BigInteger.ZERO;
      case 3 -> BigInteger.ONE;
      default -> BigInteger.ONE.negate();
    };
  }

  private String edgeString() {
    return STRINGS[random.nextInt(STRINGS.length)];
  }

  private String text() {
    int length = random.nextInt(MAX_STRING_BYTES);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(MAX_STRING_BYTES)];
    random.nextBytes(bytes);
    return bytes;
  }
}
