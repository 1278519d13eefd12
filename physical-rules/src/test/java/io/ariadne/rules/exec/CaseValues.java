package io.ariadne.rules.exec;

import io.ariadne.bridge.row.ValueWriter;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * Values of every type as {@link ColumnBuilder#appendValue} takes them: bounds, values near which
 * functions change their minds, and random ones.
 */
final class CaseValues {
  private static final long DAY_MICROS = 86_400_000_000L;

  /** Year 1, the end of the Julian calendar, leap days, changes of the clock, year 9999. */
  private static final int[] DAYS = {
    0, 1, -1, -719_162, -719_528, 2_932_896, -141_428, -141_427, 11_016, 19_782, -25_508, 18_262,
    18_627, 17_897, 18_350, 19_433, 19_667, -25_567
  };

  private static final String[] WORDS = {
    "",
    " ",
    "a",
    "A",
    "abc",
    "ABC",
    "aBc dEf",
    "  padded\t ",
    "twelve bytes",
    "thirteen byte",
    "twelve bytes and more of them",
    "\u00e4\u00df\u0130",
    "\u4e16\u754c",
    "\ud83e\uddf5 thread",
    "zero\u0000inside",
    "a_b%c\\d",
    "%",
    "_",
    "a%",
    "%c",
    "a_c",
    "%b%",
    "\\%",
    "a.*",
    "[a-c]+",
    "b",
    "0",
    "1",
    "-1",
    "+7",
    " 42 ",
    "007",
    "1.5",
    "-0.0",
    "1e3",
    "1E-400",
    "99999999999999999999",
    "128",
    "-129",
    "32768",
    "2147483648",
    "9223372036854775808",
    ".5",
    "5.",
    "1_000",
    "0x1F",
    "NaN",
    "nan",
    "Infinity",
    "-inf",
    "true",
    "FALSE",
    "t",
    "yes",
    "n",
    "null",
    "2020-02-29",
    "2021-02-29",
    "1582-10-10",
    "2020-1-5",
    "2020",
    "0001-01-01",
    "10000-01-01",
    "2020-02-29 12:34:56.789",
    "2020-03-08T02:30:00",
    "2020-01-01 00:00:00+05:45",
    "12:34:56",
    "epoch",
    "today",
    "yyyy-MM-dd",
    "yyyy-MM-dd HH:mm:ss",
    "MONTH",
    "week",
    "quarter",
    "DAY",
    "hour",
    "UTC",
    "Asia/Kathmandu",
    "+01:00",
    "MON",
    "sunday",
    "{\"a\":1}",
    "[1,2]",
    "$.a",
    "a=1,b=2",
    ",",
    "-",
    "a,b,,c",
    "http://h.org:80/p?q=1#f",
    "HOST",
    "4d4153",
    "TWFu",
    "Zm9v!",
    "1 day",
    "1-2",
    "SHA"
  };

  private final Random random;
  private boolean isSmall;
  private boolean mayBeMalformed;

  CaseValues(Random random) {
    this.random = random;
  }

  /**
   * Makes a column of a case.
   *
   * @param type its type
   * @param rowCount rows
   * @param nulls one row in so many is null; 0 for none, 1 for all
   * @param isCoded whether it gets a dictionary
   * @param allocator where buffers come from
   */
  ColumnVector column(
      DataType type, int rowCount, int nulls, boolean isCoded, BufferAllocator allocator) {
    if (!isCoded) {
      try (ColumnBuilder builder = ColumnBuilder.create(type, allocator)) {
        for (int row = 0; row < rowCount; row++) {
          builder.appendValue(isNull(nulls) ? null : value(type));
        }
        return builder.build();
      }
    }
    int entryCount = 1 + random.nextInt(20);
    Dictionary dictionary = new Dictionary(column(type, entryCount, 0, false, allocator));
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.INT32, allocator)) {
      for (int row = 0; row < rowCount; row++) {
        builder.appendValue(isNull(nulls) ? null : random.nextInt(entryCount));
      }
      ColumnVector codes = builder.build();
      return ColumnVector.ofDictionary(
          dictionary.retain(), rowCount, codes.data(), codes.validity(), codes.nullCount());
    } finally {
      dictionary.release();
    }
  }

  /**
   * Makes a column that has a value of Catalyst's in most rows, the first of them, and nulls and
   * other values in some.
   */
  ColumnVector around(Object value, DataType type, int rowCount, BufferAllocator allocator) {
    try (ColumnBuilder builder = ColumnBuilder.create(type, allocator)) {
      ValueWriter writer = ValueWriter.create(builder);
      GenericInternalRow row = new GenericInternalRow(new Object[] {value});
      for (int i = 0; i < rowCount; i++) {
        int choice = i == 0 ? 2 : random.nextInt(6);
        if (choice > 1) {
          writer.write(row, 0);
        } else {
          builder.appendValue(choice == 0 ? null : value(type));
        }
      }
      return builder.build();
    }
  }

  private boolean isNull(int nulls) {
    return nulls > 0 && random.nextInt(nulls) == 0;
  }

  /** Returns a value that is not null, nor has a null inside where the type forbids it. */
  Object value(DataType type) {
    if (type instanceof DecimalType decimal) {
      return unscaled(decimal);
    }
    if (type instanceof ListType list) {
      List<Object> elements = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        elements.add(inner(list.element(), list.containsNull()));
      }
      return elements;
    }
    if (type instanceof StructType struct) {
      return struct.fields().stream().map(f -> inner(f.type(), f.nullable())).toList();
    }
    if (type instanceof MapType map) {
      return entries(map);
    }
    return flat((PrimitiveType) type);
  }

  private List<Object> entries(MapType map) {
    Map<String, Object> entries = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Object key = value(map.key());
      List<Object> entry = new ArrayList<>();
      entry.add(key);
      entry.add(inner(map.value(), map.valueContainsNull()));
      entries.put(
          key instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "" + key,
          entry);
    }
    return new ArrayList<>(entries.values());
  }

  private Object inner(DataType type, boolean nullable) {
    return nullable && random.nextInt(6) == 0 ? null : value(type);
  }

  private Object flat(PrimitiveType type) {
    return switch (type) {
      case BOOLEAN -> (Object) random.nextBoolean();
      case INT8 -> (byte) integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case INT16 -> (short) integer(Short.MIN_VALUE, Short.MAX_VALUE);
      case INT32, INTERVAL_YEAR_MONTH -> (int) integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
      case INT64 -> integer(Long.MIN_VALUE, Long.MAX_VALUE);
      case INTERVAL_DAY_TIME ->
          random.nextBoolean() && !isSmall
              ? integer(Long.MIN_VALUE, Long.MAX_VALUE)
              : micros() / 1000;
      case FLOAT32 -> (float) floating();
      case FLOAT64 -> floating();
      case DATE32 -> day();
      case TIMESTAMP_MICROS, TIMESTAMP_NTZ_MICROS -> micros();
      case STRING -> mayBeMalformed ? damaged() : word().getBytes(StandardCharsets.UTF_8);
      case BINARY -> binary();
      case NULL -> throw new IllegalArgumentException("the null type has no values");
    };
  }

  /** Sets whether further integers are small, for functions that make long values of them. */
  void keepSmall(boolean small) {
    isSmall = small;
  }

  /** Sets whether further strings in columns may be invalid UTF-8. */
  void damageStrings(boolean damages) {
    mayBeMalformed = damages;
  }

  private byte[] damaged() {
    byte[] bytes = word().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0 && random.nextInt(20) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) (0x80 + random.nextInt(0x80));
    }
    return bytes;
  }

  private long integer(long min, long max) {
    if (isSmall) {
      return random.nextInt(50) - 9L;
    }
    return switch (random.nextInt(12)) {
      case 0 -> min;
      case 1 -> max;
      case 2 -> 0;
      case 3 -> -1;
      case 4 -> min + 1 + random.nextInt(3);
      case 5 -> max - 1 - random.nextInt(3);
      case 6 -> Math.max(min, Math.min(max, random.nextLong()));
      case 7 -> random.nextLong() % Math.max(1, max);
      default -> random.nextInt(50) - 9;
    };
  }

  private double floating() {
    return switch (random.nextInt(16)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> 0.0;
      case 3 -> Double.POSITIVE_INFINITY;
      case 4 -> Double.NEGATIVE_INFINITY;
      case 5 -> Double.MIN_VALUE;
      case 6 -> random.nextBoolean() ? Double.MAX_VALUE : -Float.MAX_VALUE;
      case 7 -> Long.MAX_VALUE + random.nextInt(3000) * 1024.0;
      case 8 -> Integer.MIN_VALUE - random.nextDouble() * 2;
      case 9 -> random.nextInt(200) - 100 + 0.5;
      case 10 -> random.nextInt(200) - 100;
      case 11 -> Double.longBitsToDouble(random.nextLong());
      case 12 -> Float.intBitsToFloat(random.nextInt());
      case 13 -> random.nextInt(20000) / 1000.0 - 10;
      default -> random.nextGaussian() * Math.pow(10, random.nextInt(12));
    };
  }

  private BigInteger unscaled(DecimalType type) {
    BigInteger bound = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
    BigInteger value =
        switch (random.nextInt(10)) {
          case 0 -> bound;
          case 1 -> BigInteger.ZERO;
          case 2 -> BigInteger.ONE;
          case 3 -> bound.subtract(BigInteger.valueOf(random.nextInt(9))).max(BigInteger.ZERO);
          case 4 -> BigInteger.TEN.pow(type.scale()).multiply(BigInteger.valueOf(5)).shiftRight(1);
          case 5 -> new BigInteger(bound.bitLength() + Byte.SIZE, random);
          case 6 -> BigInteger.TEN.pow(random.nextInt(type.precision()));
          default -> BigInteger.valueOf(random.nextInt(100_000));
        };
    value = value.mod(bound.add(BigInteger.ONE));
    return random.nextBoolean() ? value : value.negate();
  }

  private int day() {
    return switch (random.nextInt(4)) {
      case 0 -> DAYS[random.nextInt(DAYS.length)];
      case 1 -> DAYS[random.nextInt(DAYS.length)] + random.nextInt(7) - 3;
      case 2 -> random.nextInt(2_932_896 + 719_162) - 719_162;
      default -> random.nextInt(30_000) - 5_000;
    };
  }

  private long micros() {
    long day = day() * DAY_MICROS;
    return switch (random.nextInt(4)) {
      case 0 -> day;
      case 1 -> day + random.nextInt(3) - 1;
      case 2 -> day + random.nextInt(24) * 3_600_000_000L + random.nextInt(2) * 1_800_000_000L;
      default -> day + (long) (random.nextDouble() * DAY_MICROS);
    };
  }

  private String word() {
    return switch (random.nextInt(8)) {
      case 0 -> WORDS[random.nextInt(WORDS.length)] + WORDS[random.nextInt(WORDS.length)];
      case 1 -> Long.toString(random.nextLong() >> random.nextInt(64));
      case 2 -> text(random.nextInt(30));
      default -> WORDS[random.nextInt(WORDS.length)];
    };
  }

  private String text(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("abcABC ,.\u00e9\u4e16".charAt(random.nextInt(11)));
    }
    return text.toString();
  }

  private byte[] binary() {
    if (random.nextBoolean()) {
      return word().getBytes(StandardCharsets.UTF_8);
    }
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return bytes;
  }
}
