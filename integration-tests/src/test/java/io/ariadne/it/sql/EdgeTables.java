package io.ariadne.it.sql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Tables of one column per type, filled half with boundary values, half with random ones, a sixth
 * of them null.
 *
 * <p>Columns: {@code id} (unique), {@code g} (small group number, with nulls), then two columns per
 * type ({@code i1, i2, l1, ...}).
 */
final class EdgeTables {
  static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("g", DataTypes.IntegerType)
          .add("z1", DataTypes.BooleanType)
          .add("z2", DataTypes.BooleanType)
          .add("b1", DataTypes.ByteType)
          .add("b2", DataTypes.ByteType)
          .add("s1", DataTypes.ShortType)
          .add("s2", DataTypes.ShortType)
          .add("i1", DataTypes.IntegerType)
          .add("i2", DataTypes.IntegerType)
          .add("l1", DataTypes.LongType)
          .add("l2", DataTypes.LongType)
          .add("f1", DataTypes.FloatType)
          .add("f2", DataTypes.FloatType)
          .add("d1", DataTypes.DoubleType)
          .add("d2", DataTypes.DoubleType)
          .add("n1", DataTypes.createDecimalType(9, 2))
          .add("n2", DataTypes.createDecimalType(9, 2))
          .add("m1", DataTypes.createDecimalType(18, 4))
          .add("m2", DataTypes.createDecimalType(18, 4))
          .add("h1", DataTypes.createDecimalType(38, 10))
          .add("h2", DataTypes.createDecimalType(38, 10))
          .add("a1", DataTypes.DateType)
          .add("a2", DataTypes.DateType)
          .add("t1", DataTypes.TimestampType)
          .add("t2", DataTypes.TimestampType)
          .add("u1", DataTypes.TimestampNTZType)
          .add("u2", DataTypes.TimestampNTZType)
          .add("c1", DataTypes.StringType)
          .add("c2", DataTypes.StringType)
          .add("x1", DataTypes.BinaryType)
          .add("x2", DataTypes.BinaryType);

  private static final int NULL_ONE_IN = 6;
  private static final int GROUPS = 7;
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

  EdgeTables(long seed) {
    random = new Random(seed);
  }

  /** Writes a table as Parquet and registers it as a view. */
  void register(SparkSession session, String view, Path folder, int rowCount, int files) {
    List<Row> rows = new ArrayList<>(rowCount);
    for (int i = 0; i < rowCount; i++) {
      rows.add(row(i));
    }
    session
        .createDataFrame(rows, SCHEMA)
        .repartition(files)
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(folder.toUri().toString());
    session.read().parquet(folder.toUri().toString()).createOrReplaceTempView(view);
  }

  private Row row(long id) {
    Object[] values = new Object[SCHEMA.length()];
    values[0] = id;
    for (int i = 1; i < values.length; i++) {
      values[i] = random.nextInt(NULL_ONE_IN) == 0 ? null : value(SCHEMA.fieldNames()[i]);
    }
    return RowFactory.create(values);
  }

  private Object value(String column) {
    return switch (column.charAt(0)) {
      case 'g' -> random.nextInt(GROUPS);
      case 'z' -> random.nextBoolean();
      case 'b' -> (byte) integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case 's' -> (short) integer(Short.MIN_VALUE, Short.MAX_VALUE);
      case 'i' -> (int) integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
      case 'l' -> integer(Long.MIN_VALUE, Long.MAX_VALUE);
      case 'f' -> (float) floating();
      case 'd' -> floating();
      case 'n' -> decimal(9, 2);
      case 'm' -> decimal(18, 4);
      case 'h' -> decimal(38, 10);
      case 'a' -> date();
      case 't' -> timestamp().toInstant(ZoneOffset.UTC);
      case 'u' -> timestamp();
      case 'c' -> pick(STRINGS);
      case 'x' -> pick(STRINGS).getBytes(StandardCharsets.UTF_8);
      default -> throw new IllegalArgumentException(column);
    };
  }

  private long integer(long min, long max) {
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

  private double floating() {
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

  private BigDecimal decimal(int precision, int scale) {
    BigInteger limit = BigInteger.TEN.pow(precision);
    BigInteger unscaled =
        switch (random.nextInt(8)) {
          case 0 -> limit.subtract(BigInteger.ONE);
          case 1 -> limit.subtract(BigInteger.ONE).negate();
          case 2 -> BigInteger.ZERO;
          case 3 -> BigInteger.ONE;
          case 4 -> BigInteger.valueOf(-random.nextInt(1000));
          case 5 -> new BigInteger(limit.bitLength() + 8, random).mod(limit).negate();
          default -> BigInteger.valueOf(random.nextInt(100_000));
        };
    return new BigDecimal(unscaled, scale);
  }

  private LocalDate date() {
    return random.nextBoolean()
        ? pick(DATES)
        : LocalDate.of(1992, 1, 1).plusDays(random.nextInt(3000));
  }

  private LocalDateTime timestamp() {
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
