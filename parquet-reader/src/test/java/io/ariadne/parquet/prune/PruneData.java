package io.ariadne.parquet.prune;

import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Literal;
import io.ariadne.parquet.metadata.ColumnSelection;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.FooterReader;
import io.ariadne.parquet.schema.Calendars;
import io.ariadne.parquet.schema.ColumnResolver;
import io.ariadne.parquet.schema.ReadRules;
import io.ariadne.parquet.schema.RebaseMode;
import io.ariadne.parquet.testing.MemoryFile;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** A file of random but clustered rows, and the values that a scan should return. */
final class PruneData {
  static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message m {
            required int32 i;
            optional int64 l;
            optional int32 u (INTEGER(32,false));
            optional double d;
            optional float f;
            optional binary s (STRING);
            optional binary raw;
            optional int32 dec9 (DECIMAL(9,2));
            optional fixed_len_byte_array(9) dec20 (DECIMAL(20,3));
            optional int32 date (DATE);
            optional int64 ts (TIMESTAMP(MILLIS,true));
            optional boolean b;
            optional int32 small (INTEGER(16,true));
          }
          """);

  static final List<Field> FIELDS =
      List.of(
          new Field("i", PrimitiveType.INT64, false),
          new Field("l", PrimitiveType.INT64, true),
          new Field("u", PrimitiveType.INT64, true),
          new Field("d", PrimitiveType.FLOAT64, true),
          new Field("f", PrimitiveType.FLOAT32, true),
          new Field("s", PrimitiveType.STRING, true),
          new Field("raw", PrimitiveType.BINARY, true),
          new Field("dec9", new DecimalType(12, 3), true),
          new Field("dec20", new DecimalType(20, 3), true),
          new Field("date", PrimitiveType.DATE32, true),
          new Field("ts", PrimitiveType.TIMESTAMP_MICROS, true),
          new Field("b", PrimitiveType.BOOLEAN, true),
          new Field("small", PrimitiveType.INT16, true),
          new Field("missing", PrimitiveType.INT32, true),
          new Field("partition", PrimitiveType.STRING, true));

  final MemoryFile file;
  final FileMetadata metadata;
  final List<Object[]> rows = new ArrayList<>();
  final List<PrunedColumn> columns = new ArrayList<>();
  private final Random random;
  private final int cluster;

  /**
   * Writes a file.
   *
   * @param seed of everything
   * @param rowCount rows
   * @param options how it is written
   */
  PruneData(long seed, int rowCount, WriterOptions options) throws IOException {
    random = new Random(seed);
    cluster = 1 + random.nextInt(40);
    List<Group> groups = new ArrayList<>();
    for (int i = 0; i < rowCount; i++) {
      groups.add(row(i));
    }
    Path path = Files.createTempFile("prune", ".parquet");
    try {
      ParquetMrFiles.write(path, SCHEMA, groups, options, Map.of());
      file = new MemoryFile("prune.parquet", Files.readAllBytes(path));
    } finally {
      Files.delete(path);
    }
    metadata =
        FooterReader.read(file, "prune.parquet", ColumnSelection.ALL, new TestingAllocator());
    resolve();
  }

  private void resolve() {
    Calendars calendars = Calendars.of(metadata, RebaseMode.EXCEPTION, RebaseMode.EXCEPTION, null);
    ColumnResolver resolver = new ColumnResolver(metadata, ReadRules.spark4(false), calendars);
    for (Field field : FIELDS.subList(0, FIELDS.size() - 1)) {
      columns.add(PrunedColumn.of(resolver.byName(field), new Literal(null, field.type())));
    }
    columns.add(new PrunedColumn.Constant(new Literal(bytes("p7"), PrimitiveType.STRING)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a number near the row's, so that row groups and pages differ. */
  private int near(int row) {
    return row / cluster * 10 + random.nextInt(20) - 10;
  }

  private Group row(int row) {
    SimpleGroup group = new SimpleGroup(SCHEMA);
    Object[] values = new Object[FIELDS.size()];
    for (int column = 0; column < SCHEMA.getFieldCount(); column++) {
      boolean isNull = column > 0 && random.nextInt(row / 100 % 3 == 0 ? 2 : 30) == 0;
      if (!isNull) {
        values[column] = add(group, column, near(row));
      }
    }
    values[FIELDS.size() - 1] = bytes("p7");
    rows.add(values);
    return group;
  }

  /** Adds a value and returns it in the form of a literal of the requested type. */
  private Object add(Group group, int column, int value) {
    String name = SCHEMA.getFieldName(column);
    switch (name) {
      case "i", "date" -> {
        group.add(name, value);
        return name.equals("i") ? (Object) (long) value : (Object) value;
      }
      case "small" -> {
        group.add(name, (int) (short) value);
        return (short) value;
      }
      case "u" -> {
        int bits = value + (value % 7 == 0 ? Integer.MIN_VALUE : 0);
        group.add(name, bits);
        return Integer.toUnsignedLong(bits);
      }
      case "l" -> {
        group.add(name, value * 1_000_000_007L);
        return value * 1_000_000_007L;
      }
      case "d" -> {
        double number = floating(value);
        group.add(name, number);
        return number;
      }
      case "f" -> {
        float number = (float) floating(value);
        group.add(name, number);
        return number;
      }
      case "s", "raw" -> {
        byte[] text = bytes(name + "\u00e9" + (1000 + value) + (value % 3 == 0 ? "" : "x"));
        group.add(name, Binary.fromConstantByteArray(text));
        return text;
      }
      case "dec9" -> {
        group.add(name, value);
        return BigInteger.valueOf(value).multiply(BigInteger.TEN);
      }
      case "dec20" -> {
        BigInteger number = BigInteger.valueOf(value).pow(3);
        group.add(name, Binary.fromConstantByteArray(extended(number, 9)));
        return number;
      }
      case "ts" -> {
        long millis = value * 1000L + (value % 5 == 0 ? -2_300_000_000_000L : 0);
        group.add(name, millis);
        return millis * 1000;
      }
      default -> {
        group.add(name, value % 4 == 0);
        return value % 4 == 0;
      }
    }
  }

  private double floating(int value) {
    return switch (value % 11) {
      case 0 -> random.nextBoolean() ? 0.0 : -0.0;
      case 1 -> random.nextInt(10) == 0 ? Double.NaN : value;
      default -> value * 0.5;
    };
  }

  private static byte[] extended(BigInteger value, int length) {
    byte[] bytes = value.toByteArray();
    byte[] result = new byte[length];
    Arrays.fill(result, (byte) (value.signum() < 0 ? -1 : 0));
    System.arraycopy(bytes, 0, result, length - bytes.length, bytes.length);
    return result;
  }

  /** Returns a value of some row in a column, or one near it; rarely null. */
  Object anyValue(int column) {
    for (int i = 0; i < 20; i++) {
      Object value = rows.get(random.nextInt(rows.size()))[column];
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  static DataType type(int column) {
    return FIELDS.get(column).type();
  }
}
