package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.parquet.testing.EncodedColumn;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads every type in every encoding that supports it, in every nesting, with every pattern of
 * nulls, in pages of both versions and all codecs, and compares the values with the rows that were
 * written.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractTestEncodings {
  /** The nesting of a column. */
  enum Shape {
    REQUIRED,
    OPTIONAL,
    LIST,
    STRUCT
  }

  /** Where nulls are. */
  enum Nulls {
    NONE,
    SOME,
    RUNS,
    ALL
  }

  /**
   * One file.
   *
   * @param version of its pages
   * @param codec of its pages
   * @param shape of its columns
   * @param nulls of its columns
   */
  record Case(WriterVersion version, CompressionCodecName codec, Shape shape, Nulls nulls) {}

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @TempDir Path folder;

  private final KernelTestTarget target;
  private final int rowCount;
  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<EncodedColumn> columns = EncodedColumn.all();
  private Backend backend;
  private ScanRun run;

  AbstractTestEncodings(KernelTestTarget target, int rowCount) {
    this.target = target;
    this.rowCount = rowCount;
  }

  @BeforeEach
  void open() {
    backend = target.open(seed);
    run = new ScanRun(target.context(backend, memory.allocator()));
  }

  @AfterEach
  void close() {
    if (backend != null) { // the target may have skipped the test
      backend.close();
    }
  }

  /** Returns the codecs to go through. */
  abstract List<CompressionCodecName> codecs();

  Stream<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (WriterVersion version : WriterVersion.values()) {
      for (CompressionCodecName codec : codecs()) {
        for (Shape shape : Shape.values()) {
          for (Nulls nulls : Nulls.values()) {
            if (shape != Shape.REQUIRED || nulls == Nulls.NONE) {
              cases.add(new Case(version, codec, shape, nulls));
            }
          }
        }
      }
    }
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyTypeInEveryEncoding(Case given) throws IOException {
    String what = given + " -Dariadne.test.seed=" + seed;
    MessageType schema = schema(given.shape());
    List<List<Object>> values = new ArrayList<>();
    columns.forEach(column -> values.add(values(column, given)));
    Path file = folder.resolve("case.parquet");
    WriterOptions options =
        WriterOptions.PLAIN
            .withCodec(given.codec())
            .withPages(given.version(), true, 1 + random.nextInt(rowCount));
    Map<String, Encoding> encodings =
        columns.stream().collect(Collectors.toMap(EncodedColumn::name, EncodedColumn::encoding));
    List<Group> groups = groups(schema, values, given.shape());
    ParquetMrFiles.writeEncoded(file, schema, groups, options, encodings);
    checkEncodings(file, given, what);
    List<Field> fields = new ArrayList<>();
    for (EncodedColumn column : columns) {
      fields.add(new Field(column.name(), type(column.type(), given.shape()), true));
    }
    ParquetScanSpec spec =
        new ParquetScanSpec(
            fields.stream().map(ScanColumn::ofFile).toList(),
            null,
            ParquetScanOptions.DEFAULT.withBatchRows(64 * (1 + random.nextInt(3))));
    List<List<Object>> rows = run.rows(spec, List.of(ScanRun.whole(file)));
    assertEquals(rowCount, rows.size(), what);
    for (int c = 0; c < columns.size(); c++) {
      for (int row = 0; row < rowCount; row++) {
        Object expected = expected(columns.get(c), values.get(c).get(row), given.shape());
        Object actual = comparable(rows.get(row).get(c));
        if (given.shape() == Shape.STRUCT && actual != null) {
          actual = ((List<?>) actual).get(0);
        }
        if (!Objects.equals(expected, actual)) {
          assertEquals(expected, actual, columns.get(c).name() + " row " + row + " " + what);
        }
      }
    }
  }

  /**
   * Checks that parquet-mr has used the requested encodings; otherwise the test would be worthless.
   */
  @SuppressWarnings("deprecation") // the name that parquet-mr gives dictionary ids
  private void checkEncodings(Path file, Case given, String what) throws IOException {
    if (given.nulls() != Nulls.NONE) {
      return;
    }
    Map<String, Encoding> wanted = new HashMap<>();
    columns.forEach(column -> wanted.put(column.name(), column.encoding()));
    try (ParquetFileReader reader = ParquetMrFiles.open(file)) {
      for (BlockMetaData group : reader.getRowGroups()) {
        for (ColumnChunkMetaData chunk : group.getColumns()) {
          Encoding encoding = wanted.get(chunk.getPath().toArray()[0]);
          boolean isDictionary = encoding == Encoding.RLE_DICTIONARY;
          assertTrue(
              chunk.getEncodings().contains(isDictionary ? Encoding.PLAIN_DICTIONARY : encoding)
                  || chunk.getEncodings().contains(encoding),
              chunk + " " + what);
          assertEquals(given.codec(), chunk.getCodec(), what);
        }
      }
    }
  }

  private MessageType schema(Shape shape) {
    StringBuilder fields = new StringBuilder("message m {");
    for (EncodedColumn column : columns) {
      String inner = column.stored().formatted(shape == Shape.LIST ? "element" : "f");
      fields.append(
          switch (shape) {
            case REQUIRED -> "required " + column.stored().formatted(column.name()) + ";";
            case OPTIONAL -> "optional " + column.stored().formatted(column.name()) + ";";
            case LIST ->
                "optional group %s (LIST) { repeated group list { optional %s; } }"
                    .formatted(column.name(), inner);
            case STRUCT -> "optional group %s { optional %s; }".formatted(column.name(), inner);
          });
    }
    return MessageTypeParser.parseMessageType(fields + "}");
  }

  private static DataType type(DataType leaf, Shape shape) {
    return switch (shape) {
      case REQUIRED, OPTIONAL -> leaf;
      case LIST -> new ListType(leaf, true);
      case STRUCT -> new StructType(List.of(new Field("f", leaf, true)));
    };
  }

  /**
   * Returns the values of a column's rows: for lists, lists of values; null where they are null.
   */
  private List<Object> values(EncodedColumn column, Case given) {
    List<Object> pool = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      pool.add(column.values().apply(random));
    }
    List<Object> values = new ArrayList<>();
    for (int row = 0; row < rowCount; row++) {
      boolean isNull =
          switch (given.nulls()) {
            case NONE -> false;
            case SOME -> random.nextInt(3) == 0;
            case RUNS -> row / 23 % 2 == 0;
            case ALL -> true;
          };
      values.add(
          given.shape() == Shape.LIST
              ? list(column, pool, isNull, given.nulls())
              : isNull ? null : value(column, pool));
    }
    return values;
  }

  private Object value(EncodedColumn column, List<Object> pool) {
    boolean repeats = column.encoding() == Encoding.RLE_DICTIONARY || random.nextBoolean();
    return repeats ? pool.get(random.nextInt(pool.size())) : column.values().apply(random);
  }

  private Object list(EncodedColumn column, List<Object> pool, boolean isNull, Nulls nulls) {
    if (isNull && random.nextBoolean()) {
      return null;
    }
    List<Object> entries = new ArrayList<>();
    int count = isNull && nulls == Nulls.ALL ? random.nextInt(3) : random.nextInt(5);
    for (int i = 0; i < count; i++) {
      boolean isNullEntry = isNull || (nulls == Nulls.SOME && random.nextInt(4) == 0);
      entries.add(isNullEntry ? null : value(column, pool));
    }
    return entries;
  }

  private List<Group> groups(MessageType schema, List<List<Object>> values, Shape shape) {
    List<Group> rows = new ArrayList<>();
    for (int row = 0; row < rowCount; row++) {
      Group group = new SimpleGroup(schema);
      for (int c = 0; c < columns.size(); c++) {
        add(group, columns.get(c).name(), values.get(c).get(row), shape);
      }
      rows.add(group);
    }
    return rows;
  }

  private void add(Group row, String name, Object value, Shape shape) {
    if (shape == Shape.STRUCT && (value != null || random.nextBoolean())) {
      Group struct = row.addGroup(name);
      if (value != null) {
        add(struct, "f", value);
      }
    } else if (shape == Shape.LIST && value != null) {
      Group list = row.addGroup(name);
      for (Object entry : (List<?>) value) {
        Group element = list.addGroup("list");
        if (entry != null) {
          add(element, "element", entry);
        }
      }
    } else if (shape != Shape.STRUCT && value != null) {
      add(row, name, value);
    }
  }

  private static void add(Group group, String name, Object value) {
    if (value instanceof Boolean flag) {
      group.add(name, flag);
    } else if (value instanceof Integer number) {
      group.add(name, number);
    } else if (value instanceof Long number) {
      group.add(name, number);
    } else if (value instanceof Float number) {
      group.add(name, number);
    } else if (value instanceof Double number) {
      group.add(name, number);
    } else {
      group.add(name, (Binary) value);
    }
  }

  /** A struct whose member is null counts as null here: chance decides which of the two is null. */
  private static Object expected(EncodedColumn column, Object value, Shape shape) {
    if (value == null) {
      return null;
    }
    if (shape != Shape.LIST) {
      return column.expected().apply(value);
    }
    List<Object> entries = new ArrayList<>();
    for (Object entry : (List<?>) value) {
      entries.add(entry == null ? null : column.expected().apply(entry));
    }
    return entries;
  }

  private static Object comparable(Object value) {
    if (value instanceof List<?> parts) {
      List<Object> list = new ArrayList<>();
      parts.forEach(part -> list.add(comparable(part)));
      return list;
    }
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
  }
}
