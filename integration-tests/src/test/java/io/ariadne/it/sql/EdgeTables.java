package io.ariadne.it.sql;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
  private final Random random;
  private final EdgeValues edges;

  EdgeTables(long seed) {
    random = new Random(seed);
    edges = new EdgeValues(random);
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
      case 'b' -> (byte) edges.integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case 's' -> (short) edges.integer(Short.MIN_VALUE, Short.MAX_VALUE);
      case 'i' -> (int) edges.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
      case 'l' -> edges.integer(Long.MIN_VALUE, Long.MAX_VALUE);
      case 'f' -> (float) edges.floating();
      case 'd' -> edges.floating();
      case 'n' -> edges.decimal(9, 2);
      case 'm' -> edges.decimal(18, 4);
      case 'h' -> edges.decimal(38, 10);
      case 'a' -> edges.date();
      case 't' -> edges.timestamp().toInstant(ZoneOffset.UTC);
      case 'u' -> edges.timestamp();
      case 'c' -> edges.word();
      case 'x' -> edges.word().getBytes(StandardCharsets.UTF_8);
      default -> throw new IllegalArgumentException(column);
    };
  }
}
