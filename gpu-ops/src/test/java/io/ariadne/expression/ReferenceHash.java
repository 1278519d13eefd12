package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.testing.SparkHashes;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Spark's hash functions, value by value, as {@code InterpretedHashFunction.hash} does. */
final class ReferenceHash {
  private static final int MAX_LONG_DIGITS = 18;

  private ReferenceHash() {}

  /** Evaluates a hash; null when its seed is. */
  static Object hash(Call call, List<Object> row) {
    Object seed = ReferenceInterpreter.evaluate(call.arguments().get(0), row);
    boolean isMurmur = call.function() == Function.MURMUR3_HASH;
    long hash = seed == null ? 0 : ((Number) seed).longValue();
    for (Expression argument : call.arguments().subList(1, call.arguments().size())) {
      Object value = ReferenceInterpreter.evaluate(argument, row);
      if (value != null) {
        Object plain = plain(value, argument.type());
        hash = isMurmur ? murmur3(plain, (int) hash) : xxhash64(plain, hash);
      }
    }
    if (seed == null) {
      return null;
    }
    return isMurmur ? (Object) (int) hash : (Object) hash;
  }

  /** Returns what is hashed of a value: an Integer, a Long or bytes. */
  private static Object plain(Object value, DataType type) {
    if (value instanceof Boolean truth) {
      return truth ? 1 : 0;
    }
    if (value instanceof Float number) {
      return number == 0 ? 0 : Float.floatToIntBits(number);
    }
    if (value instanceof Double number) {
      return number == 0 ? 0L : Double.doubleToLongBits(number);
    }
    if (value instanceof BigInteger unscaled) {
      return ((DecimalType) type).precision() <= MAX_LONG_DIGITS
          ? (Object) unscaled.longValueExact()
          : unscaled.toByteArray();
    }
    if (value instanceof String text) {
      return type == PrimitiveType.BINARY ? binary(text) : text.getBytes(StandardCharsets.UTF_8);
    }
    return value instanceof Byte || value instanceof Short ? ((Number) value).intValue() : value;
  }

  /** Reads {@code x'hex'}, as which binary values of batches come. */
  private static byte[] binary(String text) {
    return HexFormat.of().parseHex(text, 2, text.length() - 1);
  }

  private static int murmur3(Object plain, int seed) {
    if (plain instanceof Integer number) {
      return SparkHashes.murmur3(number, seed);
    }
    return plain instanceof Long number
        ? SparkHashes.murmur3(number.longValue(), seed)
        : SparkHashes.murmur3((byte[]) plain, seed);
  }

  private static long xxhash64(Object plain, long seed) {
    if (plain instanceof Integer number) {
      return SparkHashes.xxhash64(number.intValue(), seed);
    }
    return plain instanceof Long number
        ? SparkHashes.xxhash64(number.longValue(), seed)
        : SparkHashes.xxhash64((byte[]) plain, seed);
  }
}
