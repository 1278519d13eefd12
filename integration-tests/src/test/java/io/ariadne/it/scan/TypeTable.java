package io.ariadne.it.scan;

import io.ariadne.it.sql.EdgeValues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Rows with a column of every flat type: boundary values, values that repeat (so that dictionaries
 * pay) and values that do not, nulls alone and in runs.
 *
 * <p>The column {@code id} counts rows, {@code never} is always null, {@code required} cannot be
 * null; the others are named by their types.
 */
final class TypeTable {
  static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("required", DataTypes.IntegerType, false)
          .add("never", DataTypes.StringType)
          .add("bool", DataTypes.BooleanType)
          .add("tiny", DataTypes.ByteType)
          .add("small", DataTypes.ShortType)
          .add("int", DataTypes.IntegerType)
          .add("big", DataTypes.LongType)
          .add("float", DataTypes.FloatType)
          .add("double", DataTypes.DoubleType)
          .add("dec5", DataTypes.createDecimalType(5, 2))
          .add("dec9", DataTypes.createDecimalType(9, 0))
          .add("dec18", DataTypes.createDecimalType(18, 4))
          .add("dec20", DataTypes.createDecimalType(20, 0))
          .add("dec38", DataTypes.createDecimalType(38, 18))
          .add("date", DataTypes.DateType)
          .add("ts", DataTypes.TimestampType)
          .add("ntz", DataTypes.TimestampNTZType)
          .add("ym", DataTypes.createYearMonthIntervalType())
          .add("ds", DataTypes.createDayTimeIntervalType())
          .add("str", DataTypes.StringType)
          .add("words", DataTypes.StringType)
          .add("bin", DataTypes.BinaryType);

  private static final Set<String> FIXED = Set.of("id", "required", "never");

  private final Random random;
  private final EdgeValues edges;
  private final int nullsInSix;
  private int nullRun;

  /**
   * Creates a table.
   *
   * @param random where its values come from
   * @param nullsInSix how many of six values are null
   */
  TypeTable(Random random, int nullsInSix) {
    this.random = random;
    this.edges = new EdgeValues(random);
    this.nullsInSix = nullsInSix;
  }

  /** Returns so many rows. */
  List<Row> rows(int count) {
    List<Row> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(row(i));
    }
    return rows;
  }

  private Row row(long id) {
    StructField[] fields = SCHEMA.fields();
    Object[] values = new Object[fields.length];
    values[0] = id;
    values[1] = random.nextInt(10);
    nullRun = nullRun > 0 ? nullRun - 1 : random.nextInt(200) == 0 ? random.nextInt(100) : 0;
    for (int i = 3; i < values.length; i++) {
      boolean isNull = nullsInSix > 0 && (nullRun > 0 || random.nextInt(6) < nullsInSix);
      values[i] = isNull ? null : value(fields[i]);
    }
    return RowFactory.create(values);
  }

  /** Returns a value of one of the schema's types, not null. */
  Object value(DataType type) {
    for (StructField field : SCHEMA.fields()) {
      if (field.dataType().equals(type) && !FIXED.contains(field.name())) {
        return value(field);
      }
    }
    throw new IllegalArgumentException(type.sql());
  }

  private Object value(StructField field) {
    DataType type = field.dataType();
    if (type instanceof DecimalType decimal) {
      return edges.decimal(decimal.precision(), decimal.scale());
    }
    return switch (field.name()) {
      case "bool" -> random.nextBoolean();
      case "tiny" -> (byte) edges.integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case "small" -> (short) edges.integer(Short.MIN_VALUE, Short.MAX_VALUE);
      case "int" -> (int) edges.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
      case "big" -> edges.integer(Long.MIN_VALUE, Long.MAX_VALUE);
      case "float" -> (float) edges.floating();
      case "double" -> edges.floating();
      case "date" -> edges.date();
      case "ts" -> edges.timestamp().toInstant(ZoneOffset.UTC);
      case "ntz" -> edges.timestamp();
      case "ym" -> Period.ofMonths((int) edges.integer(-100_000, 100_000)).normalized();
      case "ds" -> Duration.ofNanos(1000 * edges.integer(-1_000_000_000_000L, 1_000_000_000_000L));
      case "str" -> string();
      case "words" -> edges.word();
      case "bin" -> string().getBytes(StandardCharsets.UTF_8);
      default -> throw new IllegalArgumentException(field.name());
    };
  }

  private String string() {
    return switch (random.nextInt(4)) {
      case 0 -> edges.word();
      case 1 -> "prefix in common " + random.nextInt(1000);
      case 2 -> "é".repeat(random.nextInt(200));
      default -> Long.toHexString(random.nextLong());
    };
  }
}
