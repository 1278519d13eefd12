package io.ariadne.operator.project;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.DictionaryEncoder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.StringFormatter;
import io.ariadne.expression.StringFunction;
import io.ariadne.expression.StringParser;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.kernel.testing.TextNumbers;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares casts from strings and to strings on a back end with plain Java. The kernels know all
 * the strings, so the function never runs on the host, except when an invalid string is an error.
 */
abstract class AbstractTestStringCasts extends AbstractTestOnBackend {
  private static final List<DataType> TYPES =
      List.of(
          PrimitiveType.BOOLEAN,
          PrimitiveType.INT8,
          PrimitiveType.INT16,
          PrimitiveType.INT32,
          PrimitiveType.INT64,
          new DecimalType(7, 2),
          new DecimalType(18, 18),
          new DecimalType(38, 0),
          new DecimalType(38, 17),
          new DecimalType(38, 38),
          PrimitiveType.DATE32,
          PrimitiveType.TIMESTAMP_MICROS,
          PrimitiveType.TIMESTAMP_NTZ_MICROS);

  private static final List<DataType> FLOATS =
      List.of(PrimitiveType.FLOAT32, PrimitiveType.FLOAT64);

  private static final List<ZoneId> ZONES =
      List.of(ZoneId.of("UTC"), ZoneId.of("America/Los_Angeles"), ZoneId.of("Australia/Lord_Howe"));

  private static final String[] ZONE_NAMES = {
    "", "", "Z", " UTC", "GMT", "UT", "+1", "-08:00", "+5:45", "UTC-18:00", "GMT+7:3", "+18:01", "z"
  };

  private static final String[] TRUTHS = {
    "true", "FALSE", "t", "f", "Yes", "no", "y", "N", "1", "0", "tru", "2", "", "falsey"
  };

  private static final String ALPHABET = "0123456789+-.: T\tx";

  /** Returns numbers of rows to test. */
  protected abstract List<Integer> rowCounts();

  /** The kernels know all there is: this one is for errors. */
  private record Host(DataType resultType) implements ColumnFunction {
    private static final long serialVersionUID = 1L;

    @Override
    public String description() {
      return "the host";
    }

    @Override
    public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
      throw new UnsupportedOperationException("given to the host");
    }
  }

  @Test
  void castsFromStringsEqualReference() {
    for (int rowCount : rowCounts()) {
      for (DataType type : Stream.concat(TYPES.stream(), FLOATS.stream()).toList()) {
        for (int i = 0; i < 4; i++) {
          boolean isWhole = i % 2 == 1;
          ZoneId zone = zoneFor(type);
          Supplier<Object> strings = () -> text(type).getBytes(StandardCharsets.UTF_8);
          StringParser function = new StringParser(type, isWhole, false, zone, new Host(type));
          check(
              function,
              PrimitiveType.STRING,
              rowCount,
              i < 2,
              strings,
              bytes -> CastReference.parse(string(bytes), type, isWhole, zone));
        }
      }
    }
  }

  @Test
  void raisesTheErrorsOfInvalidStrings() {
    for (DataType type : TYPES) {
      StringParser function = new StringParser(type, true, true, zoneFor(type), new Host(type));
      List<Object> given = new ArrayList<>();
      for (int row = 0; row < 65; row++) {
        given.add("no such value".getBytes(StandardCharsets.UTF_8));
      }
      Throwable error =
          assertThrows(
              UnsupportedOperationException.class,
              () -> {
                try (Operator operator = operator(function, PrimitiveType.STRING)) {
                  operator.addInput(batch(given, PrimitiveType.STRING, false));
                  operator.getOutput();
                }
              });
      assertEquals("given to the host", error.getMessage());
    }
  }

  @Test
  void castsToStringsEqualReference() {
    for (int rowCount : rowCounts()) {
      for (DataType type : Stream.concat(TYPES.stream(), FLOATS.stream()).toList()) {
        for (int i = 0; i < 4; i++) {
          boolean isPlain = i % 2 == 1;
          ZoneId zone = zoneFor(type);
          StringFormatter function =
              new StringFormatter(type, isPlain, zone, new Host(PrimitiveType.STRING));
          check(
              function,
              type,
              rowCount,
              i < 2,
              () -> value(type),
              value -> CastReference.format(number(value), type, isPlain, zone));
        }
      }
    }
  }

  /** Readers lay long decimals out as short numbers where a file's values allow it. */
  @Test
  void decimalsOfLargeScaleInNarrowLayouts() {
    int rowCount = rowCounts().get(rowCounts().size() - 1);
    for (int scale : new int[] {17, 19, 35, 38}) {
      for (boolean isPlain : new boolean[] {false, true}) {
        DecimalType type = new DecimalType(38, scale);
        MemoryBuffer data = allocator.allocate((long) rowCount * Long.BYTES);
        List<Object> expected = new ArrayList<>();
        for (int row = 0; row < rowCount; row++) {
          long number = random.nextLong() >> random.nextInt(Long.SIZE);
          data.putLong((long) row * Long.BYTES, number);
          expected.add(CastReference.format(BigInteger.valueOf(number), type, isPlain, null));
        }
        ColumnVector column = ColumnVector.flat(type, PhysicalType.I64, rowCount, data, null);
        Schema schema = new Schema(List.of(new Field("a", type, true)));
        StringFormatter function =
            new StringFormatter(type, isPlain, null, new Host(PrimitiveType.STRING));
        try (Operator operator = operator(function, type)) {
          operator.addInput(new RecordBatch(schema, rowCount, List.of(column), 0));
          try (RecordBatch result = context().transfer().toHost(operator.getOutput())) {
            ColumnReader actual = new ColumnReader(result.column(0));
            for (int row = 0; row < rowCount; row++) {
              assertEquals(expected.get(row), actual.getString(row), type + " row " + row);
            }
          }
        }
      }
    }
  }

  private static String string(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }

  private static Object number(Object value) {
    return value instanceof Long
            || value instanceof Integer
            || value instanceof Short
            || value instanceof Byte
        ? (Object) ((Number) value).longValue()
        : value;
  }

  private ZoneId zoneFor(DataType type) {
    return type == PrimitiveType.TIMESTAMP_MICROS ? ZONES.get(random.nextInt(ZONES.size())) : null;
  }

  private void check(
      StringFunction function,
      DataType argumentType,
      int rowCount,
      boolean isEncoded,
      Supplier<Object> values,
      Function<Object, Object> reference) {
    List<Object> given = new ArrayList<>();
    List<Object> entries = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      entries.add(values.get());
    }
    boolean hasNulls = random.nextBoolean();
    for (int row = 0; row < rowCount; row++) {
      boolean isNull = hasNulls && random.nextInt(6) == 0;
      given.add(isNull ? null : isEncoded ? entries.get(random.nextInt(5)) : values.get());
    }
    DataType resultType = function.resultType();
    try (Operator operator = operator(function, argumentType)) {
      operator.addInput(batch(given, argumentType, isEncoded));
      try (RecordBatch result = context().transfer().toHost(operator.getOutput())) {
        ColumnReader actual = new ColumnReader(result.column(0));
        for (int row = 0; row < rowCount; row++) {
          Object value = given.get(row);
          Object expected = value == null ? null : reference.apply(value);
          String what = "seed " + seed + " " + function + " row " + row + " of " + show(value);
          assertEquals(expected, read(actual, row, resultType), what);
        }
      }
    }
  }

  private OperatorContext context() {
    return new OperatorContext(
        allocator, kernelAllocator(backend, allocator), backend, () -> false, ErrorReplay.PLAIN);
  }

  private Operator operator(StringFunction function, DataType argumentType) {
    Schema input = new Schema(List.of(new Field("a", argumentType, true)));
    Schema output = new Schema(List.of(new Field("out", function.resultType(), true)));
    BridgedCall call =
        new BridgedCall(function, List.of(new ColumnReference(0, argumentType, true)), true);
    return new FilterProjectOperatorFactory(input, null, List.of(call), output).create(context());
  }

  private RecordBatch batch(List<Object> values, DataType type, boolean isEncoded) {
    return new RecordBatch(
        new Schema(List.of(new Field("a", type, true))),
        values.size(),
        List.of(column(values, type, isEncoded)),
        0);
  }

  private static String show(Object value) {
    return value instanceof byte[] ? '"' + string(value) + '"' : Objects.toString(value);
  }

  private static Object read(ColumnReader column, int row, DataType type) {
    if (column.isNull(row)) {
      return null;
    }
    if (type == PrimitiveType.STRING) {
      return column.getString(row);
    }
    if (type == PrimitiveType.BOOLEAN) {
      return column.getBoolean(row);
    }
    if (type == PrimitiveType.FLOAT32) {
      return column.getFloat(row);
    }
    if (type == PrimitiveType.FLOAT64) {
      return column.getDouble(row);
    }
    return type instanceof DecimalType
        ? (Object) column.getUnscaled(row)
        : (Object) column.getIntegral(row);
  }

  private ColumnVector column(List<Object> values, DataType type, boolean isEncoded) {
    try (ColumnBuilder builder = ColumnBuilder.create(type, allocator)) {
      values.forEach(builder::appendValue);
      ColumnVector plain = builder.build();
      if (!isEncoded || type == PrimitiveType.BOOLEAN) {
        return plain;
      }
      try (plain) {
        return new DictionaryEncoder(random, allocator).encode(plain);
      }
    }
  }

  private Object value(DataType type) {
    if (type instanceof DecimalType decimal) {
      BigInteger bound = BigInteger.TEN.pow(random.nextInt(decimal.precision() + 1));
      BigInteger absolute = new BigInteger(130, random).mod(bound);
      return random.nextBoolean() ? absolute : absolute.negate();
    }
    if (FLOATS.contains(type)) {
      return TextNumbers.next(random, type == PrimitiveType.FLOAT32);
    }
    long number = random.nextLong() >> random.nextInt(Long.SIZE);
    number = random.nextInt(9) == 0 ? Long.MIN_VALUE : number;
    return switch ((PrimitiveType) type) {
      case BOOLEAN -> random.nextBoolean();
      case INT8 -> (byte) number;
      case INT16 -> (short) number;
      case INT32, DATE32 -> (int) number;
      default -> number;
    };
  }

  private String text(DataType type) {
    if (FLOATS.contains(type)) {
      return TextNumbers.nextText(random, type == PrimitiveType.FLOAT32);
    }
    String text =
        type == PrimitiveType.BOOLEAN
            ? TRUTHS[random.nextInt(TRUTHS.length)]
            : type instanceof DecimalType || isInteger(type) ? number() : time();
    boolean isTime =
        type == PrimitiveType.TIMESTAMP_MICROS || type == PrimitiveType.TIMESTAMP_NTZ_MICROS;
    if (!isTime && random.nextInt(4) == 0) {
      int place = random.nextInt(text.length() + 1);
      char other = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
      text = text.substring(0, place) + other + text.substring(place);
    }
    return random.nextInt(6) == 0 ? " \t" + text + "\u0003" : text;
  }

  private static boolean isInteger(DataType type) {
    return type == PrimitiveType.INT8
        || type == PrimitiveType.INT16
        || type == PrimitiveType.INT32
        || type == PrimitiveType.INT64;
  }

  private String digits(int count) {
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < count; i++) {
      digits.append(random.nextInt(3) == 0 ? '9' : (char) ('0' + random.nextInt(10)));
    }
    return digits.toString();
  }

  private String number() {
    if (random.nextInt(4) == 0) {
      long edge =
          (Long.MIN_VALUE >> (random.nextInt(4) * 8 * random.nextInt(3))) + random.nextInt(3);
      return random.nextBoolean() ? Long.toString(edge - 1) : Long.toString(-(edge - 1));
    }
    String whole = digits(random.nextInt(random.nextInt(3) == 0 ? 42 : 8));
    String sign = new String[] {"", "-", "+"}[random.nextInt(3)];
    String fraction = random.nextBoolean() ? "." + digits(random.nextInt(44)) : "";
    String exponent = random.nextInt(5) == 0 && !whole.isEmpty() ? "1e" + random.nextInt(30) : "";
    return sign + whole + fraction + exponent;
  }

  private String time() {
    int year = random.nextInt(3) == 0 ? random.nextInt(300_000) : 1800 + random.nextInt(800);
    String date = "%04d-%02d-%02d".formatted(year, 1 + random.nextInt(13), 1 + random.nextInt(32));
    if (random.nextInt(8) == 0) {
      return new String[] {"2020", "2020-3", "2020-3-", "-2020-03-01", "99-01-01", "x", "20200"}
          [random.nextInt(7)];
    }
    String time = date + "T%d:%02d".formatted(random.nextInt(25), random.nextInt(61));
    if (random.nextInt(4) == 0) {
      return time;
    }
    String second = time + ":%02d".formatted(random.nextInt(61));
    String fraction = random.nextBoolean() ? "" : "." + digits(random.nextInt(9));
    return second + fraction + ZONE_NAMES[random.nextInt(ZONE_NAMES.length)];
  }
}
