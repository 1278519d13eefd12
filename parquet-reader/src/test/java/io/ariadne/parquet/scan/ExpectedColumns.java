package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;

/**
 * The types as which the fields of {@code TestSchemas.FLAT} are read, and their expected values.
 */
final class ExpectedColumns {
  private static final long MICROS_PER_MILLI = 1000;
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final int EPOCH_JULIAN_DAY = 2_440_588;

  private static final Map<String, DataType> TYPES =
      Map.ofEntries(
          Map.entry("flag", PrimitiveType.BOOLEAN),
          Map.entry("maybe", PrimitiveType.BOOLEAN),
          Map.entry("i", PrimitiveType.INT32),
          Map.entry("tiny", PrimitiveType.INT8),
          Map.entry("small", PrimitiveType.INT16),
          Map.entry("utiny", PrimitiveType.INT16),
          Map.entry("usmall", PrimitiveType.INT32),
          Map.entry("uint32", PrimitiveType.INT64),
          Map.entry("uint64", new DecimalType(20, 0)),
          Map.entry("legacy", PrimitiveType.TIMESTAMP_MICROS),
          Map.entry("decimal38", new DecimalType(38, 10)),
          Map.entry("bson", PrimitiveType.BINARY),
          Map.entry("int32", PrimitiveType.INT32),
          Map.entry("date", PrimitiveType.DATE32),
          Map.entry("decimal9", new DecimalType(9, 2)),
          Map.entry("l", PrimitiveType.INT64),
          Map.entry("int64", PrimitiveType.INT64),
          Map.entry("decimal18", new DecimalType(18, 4)),
          Map.entry("ts_micros", PrimitiveType.TIMESTAMP_MICROS),
          Map.entry("ts_ntz", PrimitiveType.TIMESTAMP_NTZ_MICROS),
          Map.entry("f", PrimitiveType.FLOAT32),
          Map.entry("d", PrimitiveType.FLOAT64),
          Map.entry("text", PrimitiveType.STRING),
          Map.entry("maybe_text", PrimitiveType.STRING),
          Map.entry("raw", PrimitiveType.BINARY),
          Map.entry("json", PrimitiveType.STRING),
          Map.entry("choice", PrimitiveType.STRING),
          Map.entry("fixed", PrimitiveType.BINARY));

  private ExpectedColumns() {}

  /** Returns the columns that can be read, in a fixed order. */
  static List<Field> all() {
    return TYPES.keySet().stream()
        .sorted()
        .map(name -> new Field(name, TYPES.get(name), true))
        .toList();
  }

  /** Returns the expected value of a row: as text for bytes, the same NaN for all NaNs. */
  static Object value(Group row, Field field) {
    String name = field.name();
    if (row.getFieldRepetitionCount(name) == 0) {
      return null;
    }
    return switch (row.getType().getType(name).asPrimitiveType().getPrimitiveTypeName()) {
      case BOOLEAN -> row.getBoolean(name, 0);
      case INT32 -> integer(row.getInteger(name, 0), name, field.type());
      case INT64 -> integer(row, name, field.type());
      case FLOAT -> row.getFloat(name, 0);
      case DOUBLE -> row.getDouble(name, 0);
      case INT96 -> int96(row.getInt96(name, 0));
      case BINARY, FIXED_LEN_BYTE_ARRAY -> bytes(row.getBinary(name, 0), field.type());
    };
  }

  private static Object integer(int value, String name, DataType type) {
    if (type instanceof DecimalType) {
      return BigInteger.valueOf(value);
    }
    return switch (name) {
      case "tiny" -> (Object) (byte) value;
      case "small", "utiny" -> (short) value;
      case "uint32" -> Integer.toUnsignedLong(value);
      default -> value;
    };
  }

  private static Object integer(Group row, String name, DataType type) {
    long value = row.getLong(name, 0);
    if (name.equals("uint64")) {
      return new BigInteger(Long.toUnsignedString(value));
    }
    if (type instanceof DecimalType) {
      return BigInteger.valueOf(value);
    }
    return switch (name) {
      case "ts_millis" -> value * MICROS_PER_MILLI;
      case "ts_nanos" -> Math.floorDiv(value, MICROS_PER_MILLI);
      default -> value;
    };
  }

  private static long int96(Binary value) {
    java.nio.ByteBuffer bytes = value.toByteBuffer().order(java.nio.ByteOrder.LITTLE_ENDIAN);
    long nanos = bytes.getLong(0);
    int day = bytes.getInt(Long.BYTES) - EPOCH_JULIAN_DAY;
    return day * MICROS_PER_DAY + nanos / MICROS_PER_MILLI;
  }

  private static Object bytes(Binary value, DataType type) {
    if (type instanceof DecimalType) {
      return new BigInteger(value.getBytes());
    }
    return type == PrimitiveType.STRING
        ? value.toStringUsingUTF8()
        : HexFormat.of().formatHex(value.getBytes());
  }

  /** Returns a value that was read in the form of {@link #value}. */
  static Object comparable(Object value) {
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
  }
}
