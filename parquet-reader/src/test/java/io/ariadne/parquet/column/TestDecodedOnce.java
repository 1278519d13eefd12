package io.ariadne.parquet.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.parquet.codec.Decompressors;
import io.ariadne.parquet.metadata.ColumnSelection;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.FooterReader;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.page.PageIo;
import io.ariadne.parquet.page.ReadStatistics;
import io.ariadne.parquet.schema.Calendars;
import io.ariadne.parquet.schema.ColumnResolver;
import io.ariadne.parquet.schema.ReadRules;
import io.ariadne.parquet.schema.RebaseMode;
import io.ariadne.parquet.schema.ResolvedColumn;
import io.ariadne.parquet.testing.MemoryFile;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests pages that span many windows: values before a window are not decoded again for each window.
 */
class TestDecodedOnce {
  private static final int ROWS = 20_000;
  private static final int WINDOW_ROWS = 64;

  /** A window may begin in any run. parquet-mr writes no longer run than this. */
  private static final int RUN_VALUES = 504;

  private static final int STREAMS = 2;
  private static final long MOST_PASSED = (ROWS / WINDOW_ROWS + 1L) * RUN_VALUES * STREAMS;

  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message one {
            required int32 i;
            optional int64 l;
            optional binary s (STRING);
            optional int64 d (DECIMAL(12,2));
            optional binary b (DECIMAL(20,3));
            optional boolean flag;
            optional group list (LIST) {
              repeated group list {
                optional int32 element;
              }
            }
          }
          """);

  private static final List<Field> FIELDS =
      List.of(
          new Field("i", PrimitiveType.INT32, false),
          new Field("l", PrimitiveType.INT64, true),
          new Field("s", PrimitiveType.STRING, true),
          new Field("d", new DecimalType(12, 2), true),
          new Field("b", new DecimalType(20, 3), true),
          new Field("flag", PrimitiveType.BOOLEAN, true),
          new Field("list", new ListType(PrimitiveType.INT32, true), true));

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void decodesDeltaPagesOnce() throws IOException {
    check(WriterVersion.PARQUET_2_0, false);
  }

  @Test
  void decodesDictionaryPagesOnce() throws IOException {
    check(WriterVersion.PARQUET_2_0, true);
  }

  @Test
  void decodesPlainPagesOnce() throws IOException {
    check(WriterVersion.PARQUET_1_0, false);
  }

  private void check(WriterVersion version, boolean dictionary) throws IOException {
    List<Group> rows = rows();
    Path path = folder.resolve("once.parquet");
    WriterOptions options = WriterOptions.PLAIN.withPages(version, dictionary, ROWS);
    ParquetMrFiles.write(path, SCHEMA, rows, options, Map.of());
    MemoryFile file = new MemoryFile("once.parquet", Files.readAllBytes(path));
    for (Field field : FIELDS) {
      for (boolean jumps : new boolean[] {false, true}) {
        long passed = read(file, field, rows, jumps);
        assertTrue(
            passed <= MOST_PASSED,
            field.name() + " passed " + passed + " values in " + version + ", seed " + seed);
      }
    }
  }

  private List<Group> rows() {
    List<Group> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      SimpleGroup row = new SimpleGroup(SCHEMA);
      row.add("i", i / 3 * 7);
      if (i / 1000 % 2 == 0 || random.nextBoolean()) {
        row.add("l", (long) random.nextInt(500) << 33);
        row.add("s", "value " + (i % 7 == 0 ? "" : "that is long ") + random.nextInt(100));
        row.add("d", (long) random.nextInt(1000));
        row.add("b", Binary.fromConstantByteArray(BigInteger.valueOf(i).toByteArray()));
        row.add("flag", i % 100 < 50 || random.nextBoolean());
        Group list = row.addGroup("list");
        for (int k = random.nextInt(4); k > 0; k--) {
          Group element = list.addGroup("list");
          if (random.nextInt(4) > 0) {
            element.add("element", random.nextInt(50));
          }
        }
      }
      rows.add(row);
    }
    return rows;
  }

  /**
   * Reads a column and compares it; returns the number of values and levels that were decoded only
   * to reach later ones.
   */
  private long read(MemoryFile file, Field field, List<Group> rows, boolean jumps)
      throws IOException {
    FileMetadata metadata =
        FooterReader.read(file, "once.parquet", ColumnSelection.ALL, memory.allocator());
    Calendars calendars = Calendars.of(metadata, RebaseMode.CORRECTED, RebaseMode.CORRECTED, null);
    ResolvedColumn column =
        new ColumnResolver(metadata, ReadRules.spark4(true), calendars).byName(field);
    ReadStatistics statistics = new ReadStatistics();
    try (Backend backend = HostBackend.open();
        Decompressors codecs = new Decompressors();
        DecodeContext context = new DecodeContext(backend, memory.allocator(), statistics)) {
      PageIo io =
          new PageIo(memory.allocator(), codecs, statistics, PageIo.DEFAULT_WINDOW_BYTES, false);
      RowGroup group = metadata.rowGroups().get(0);
      assertEquals(ROWS, group.rowCount());
      TestingLeaves leaves = new TestingLeaves(file, metadata, group, io);
      try (ColumnDecoder decoder = decoder(column, leaves, context)) {
        for (int first = 0; first < ROWS; first += WINDOW_ROWS) {
          first += jumps && random.nextInt(3) == 0 ? random.nextInt(200) : 0;
          int count = Math.min(WINDOW_ROWS, ROWS - first);
          if (count > 0) {
            compare(decoder, first, count, field, rows);
          }
        }
      }
    }
    return statistics.valuesPassed;
  }

  private static ColumnDecoder decoder(
      ResolvedColumn column, TestingLeaves leaves, DecodeContext context) {
    return column instanceof ResolvedColumn.Leaf leaf
        ? new FlatColumnDecoder(leaves.column(leaf), leaves.pages(leaf.leaf()), context)
        : new NestedColumnDecoder(column, leaves, context);
  }

  private void compare(ColumnDecoder decoder, int first, int count, Field field, List<Group> rows) {
    try (ColumnVector column = decoder.decode(first, count, null)) {
      ColumnReader reader = new ColumnReader(column);
      for (int i = 0; i < count; i++) {
        assertEquals(
            value(rows.get(first + i), field.name()),
            reader.getValue(i),
            field.name() + " row " + (first + i) + " seed " + seed);
      }
    }
  }

  private static Object value(Group row, String field) {
    if (row.getFieldRepetitionCount(field) == 0) {
      return null;
    }
    return switch (field) {
      case "i" -> row.getInteger(field, 0);
      case "l" -> row.getLong(field, 0);
      case "s" -> row.getString(field, 0);
      case "d" -> BigInteger.valueOf(row.getLong(field, 0));
      case "b" -> new BigInteger(row.getBinary(field, 0).getBytes());
      case "flag" -> row.getBoolean(field, 0);
      default -> elements(row.getGroup(field, 0));
    };
  }

  private static List<Object> elements(Group list) {
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < list.getFieldRepetitionCount("list"); i++) {
      Group element = list.getGroup("list", i);
      boolean isNull = element.getFieldRepetitionCount("element") == 0;
      elements.add(isNull ? null : element.getInteger("element", 0));
    }
    return elements;
  }
}
