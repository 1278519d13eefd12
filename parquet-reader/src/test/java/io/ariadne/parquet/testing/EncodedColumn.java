package io.ariadne.parquet.testing;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.io.api.Binary;

/**
 * A type and an encoding that tests combine.
 *
 * @param name name of the column
 * @param stored parquet-mr's type, with {@code %s} for the name
 * @param type type as which it is read
 * @param encoding how its values are encoded
 * @param values makes a value as parquet-mr's rows have it
 * @param expected returns the value that is expected when such a value is read
 */
public record EncodedColumn(
    String name,
    String stored,
    DataType type,
    Encoding encoding,
    Function<Random, Object> values,
    Function<Object, Object> expected) {
  private static final long DAY_NANOS = 86_400_000_000_000L;
  private static final int EPOCH_JULIAN_DAY = 2_440_588;
  private static final List<Encoding> INTEGERS =
      List.of(
          Encoding.PLAIN,
          Encoding.RLE_DICTIONARY,
          Encoding.DELTA_BINARY_PACKED,
          Encoding.BYTE_STREAM_SPLIT);
  private static final List<Encoding> FLOATS =
      List.of(Encoding.PLAIN, Encoding.RLE_DICTIONARY, Encoding.BYTE_STREAM_SPLIT);
  private static final List<Encoding> BYTES =
      List.of(
          Encoding.PLAIN,
          Encoding.RLE_DICTIONARY,
          Encoding.DELTA_LENGTH_BYTE_ARRAY,
          Encoding.DELTA_BYTE_ARRAY);
  private static final List<Encoding> FIXED =
      List.of(
          Encoding.PLAIN,
          Encoding.RLE_DICTIONARY,
          Encoding.DELTA_BYTE_ARRAY,
          Encoding.BYTE_STREAM_SPLIT);

  /** Returns every type in every encoding that supports it. */
  public static List<EncodedColumn> all() {
    List<EncodedColumn> all = new ArrayList<>();
    add(all, "boolean %s", PrimitiveType.BOOLEAN, List.of(Encoding.PLAIN, Encoding.RLE));
    all.replaceAll(c -> c.with(Random::nextBoolean, value -> value));
    addIntegers(all);
    addLongs(all);
    addNumbers(all);
    addBytes(all);
    addFixed(all);
    return all;
  }

  private static void addIntegers(List<EncodedColumn> all) {
    Function<Random, Object> any = EncodedColumn::integer;
    addAll(all, "int32 %s", PrimitiveType.INT32, INTEGERS, any, v -> v);
    addAll(
        all,
        "int32 %s (INTEGER(8,true))",
        PrimitiveType.INT8,
        INTEGERS,
        r -> (int) (byte) r.nextInt(),
        v -> ((Integer) v).byteValue());
    addAll(
        all,
        "int32 %s (INTEGER(16,true))",
        PrimitiveType.INT16,
        INTEGERS,
        r -> (int) (short) r.nextInt(),
        v -> ((Integer) v).shortValue());
    addAll(
        all,
        "int32 %s (INTEGER(8,false))",
        PrimitiveType.INT16,
        INTEGERS,
        r -> r.nextInt(256),
        v -> ((Integer) v).shortValue());
    addAll(
        all,
        "int32 %s (INTEGER(16,false))",
        PrimitiveType.INT32,
        INTEGERS,
        r -> r.nextInt(65_536),
        v -> v);
    addAll(
        all,
        "int32 %s (INTEGER(32,false))",
        PrimitiveType.INT64,
        INTEGERS,
        any,
        v -> Integer.toUnsignedLong((Integer) v));
    addAll(
        all,
        "int32 %s (DATE)",
        PrimitiveType.DATE32,
        INTEGERS,
        r -> r.nextInt(40_000) - 5_000,
        v -> v);
    addAll(
        all,
        "int32 %s (DECIMAL(9,2))",
        new DecimalType(9, 2),
        INTEGERS,
        r -> r.nextInt(1_999_999_999) - 999_999_999,
        v -> BigInteger.valueOf((Integer) v));
  }

  private static void addLongs(List<EncodedColumn> all) {
    Function<Random, Object> any = EncodedColumn::longInteger;
    Function<Random, Object> time = r -> r.nextLong(-1L << 50, 1L << 50);
    addAll(all, "int64 %s", PrimitiveType.INT64, INTEGERS, any, v -> v);
    addAll(
        all,
        "int64 %s (INTEGER(64,false))",
        new DecimalType(20, 0),
        INTEGERS,
        any,
        v -> new BigInteger(Long.toUnsignedString((Long) v)));
    addAll(
        all,
        "int64 %s (DECIMAL(18,4))",
        new DecimalType(18, 4),
        INTEGERS,
        r -> r.nextLong() % 1_000_000_000_000_000_000L,
        v -> BigInteger.valueOf((Long) v));
    addAll(
        all,
        "int64 %s (TIMESTAMP(MICROS,true))",
        PrimitiveType.TIMESTAMP_MICROS,
        INTEGERS,
        time,
        v -> v);
    addAll(
        all,
        "int64 %s (TIMESTAMP(MILLIS,true))",
        PrimitiveType.TIMESTAMP_MICROS,
        INTEGERS,
        time,
        v -> (Long) v * 1000);
    addAll(
        all,
        "int64 %s (TIMESTAMP(MICROS,false))",
        PrimitiveType.TIMESTAMP_NTZ_MICROS,
        INTEGERS,
        time,
        v -> v);
    addAll(
        all,
        "int96 %s",
        PrimitiveType.TIMESTAMP_MICROS,
        List.of(Encoding.PLAIN, Encoding.RLE_DICTIONARY),
        EncodedColumn::int96,
        EncodedColumn::microsOfInt96);
  }

  private static void addNumbers(List<EncodedColumn> all) {
    addAll(all, "float %s", PrimitiveType.FLOAT32, FLOATS, r -> (float) number(r), v -> v);
    addAll(all, "double %s", PrimitiveType.FLOAT64, FLOATS, EncodedColumn::number, v -> v);
  }

  private static void addBytes(List<EncodedColumn> all) {
    Function<Random, Object> text = r -> Binary.fromString("text " + "é".repeat(r.nextInt(30)));
    Function<Object, Object> string = v -> ((Binary) v).toStringUsingUTF8();
    addAll(all, "binary %s (STRING)", PrimitiveType.STRING, BYTES, EncodedColumn::text, string);
    addAll(all, "binary %s (JSON)", PrimitiveType.STRING, BYTES, text, string);
    addAll(all, "binary %s (ENUM)", PrimitiveType.STRING, BYTES, text, string);
    addAll(
        all,
        "binary %s",
        PrimitiveType.BINARY,
        BYTES,
        r -> bytes(r, r.nextInt(40)),
        EncodedColumn::hex);
    addAll(
        all,
        "binary %s (DECIMAL(20,3))",
        new DecimalType(20, 3),
        BYTES,
        r -> bytes(r, 1 + r.nextInt(8)),
        EncodedColumn::decimal);
  }

  private static void addFixed(List<EncodedColumn> all) {
    addAll(
        all,
        "fixed_len_byte_array(5) %s",
        PrimitiveType.BINARY,
        FIXED,
        r -> bytes(r, 5),
        EncodedColumn::hex);
    addAll(
        all,
        "fixed_len_byte_array(16) %s (UUID)",
        PrimitiveType.BINARY,
        FIXED,
        r -> bytes(r, 16),
        EncodedColumn::hex);
    for (int[] decimal :
        new int[][] {{4, 9, 2}, {7, 16, 3}, {8, 18, 0}, {12, 28, 5}, {16, 38, 10}}) {
      addAll(
          all,
          "fixed_len_byte_array(%d) %%s (DECIMAL(%d,%d))"
              .formatted(decimal[0], decimal[1], decimal[2]),
          new DecimalType(decimal[1], decimal[2]),
          FIXED,
          r -> small(r, decimal[0]),
          EncodedColumn::decimal);
    }
  }

  private static void addAll(
      List<EncodedColumn> all,
      String stored,
      DataType type,
      List<Encoding> encodings,
      Function<Random, Object> values,
      Function<Object, Object> expected) {
    List<EncodedColumn> some = new ArrayList<>();
    add(some, stored, type, encodings);
    some.forEach(c -> all.add(c.with(values, expected)));
  }

  private static void add(
      List<EncodedColumn> all, String stored, DataType type, List<Encoding> encodings) {
    for (Encoding encoding : encodings) {
      String name =
          (stored.replace("%s", "") + encoding)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^a-z0-9]+", "_");
      all.add(new EncodedColumn(name, stored, type, encoding, null, null));
    }
  }

  private EncodedColumn with(Function<Random, Object> made, Function<Object, Object> read) {
    return new EncodedColumn(name, stored, type, encoding, made, read);
  }

  private static Object integer(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt();
      case 1 -> random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE;
      default -> random.nextInt(9);
    };
  }

  private static Object longInteger(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong();
      case 1 -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
      default -> (long) random.nextInt(9);
    };
  }

  private static double number(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> -0.0;
      case 1 -> Double.POSITIVE_INFINITY;
      case 2 -> Double.NaN;
      default -> random.nextGaussian();
    };
  }

  private static Object text(Random random) {
    String word = random.nextBoolean() ? "a prefix in common " : "";
    return Binary.fromString(word + "x".repeat(random.nextInt(12)) + random.nextInt(50));
  }

  private static Binary bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return Binary.fromConstantByteArray(bytes);
  }

  /** A number of few digits in so many bytes, big-endian. */
  private static Binary small(Random random, int length) {
    byte[] digits = BigInteger.valueOf(random.nextInt(1_999_999) - 999_999L).toByteArray();
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) (digits[0] < 0 ? -1 : 0));
    System.arraycopy(digits, 0, bytes, length - digits.length, digits.length);
    return Binary.fromConstantByteArray(bytes);
  }

  private static Object hex(Object value) {
    return HexFormat.of().formatHex(((Binary) value).getBytes());
  }

  private static Object decimal(Object value) {
    return new BigInteger(((Binary) value).getBytes());
  }

  private static Object int96(Random random) {
    long nanos = random.nextLong(DAY_NANOS);
    int day = EPOCH_JULIAN_DAY + random.nextInt(20_000);
    return Binary.fromConstantByteArray(
        ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putLong(nanos).putInt(day).array());
  }

  private static Object microsOfInt96(Object value) {
    ByteBuffer bytes = ((Binary) value).toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    long days = (long) bytes.getInt(Long.BYTES) - EPOCH_JULIAN_DAY;
    return days * (DAY_NANOS / 1000) + bytes.getLong(0) / 1000;
  }
}
