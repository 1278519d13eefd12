package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.io.LocalFileReader;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests one row group read by several threads: the same rows, and no byte read twice. */
class TestGroupDivision {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message m {
            required int64 id;
            optional binary word (STRING);
            optional binary text (STRING);
            optional group list (LIST) {
              repeated group list {
                optional int32 element;
              }
            }
          }
          """);
  private static final List<Field> FIELDS =
      List.of(
          new Field("id", PrimitiveType.INT64, false),
          new Field("word", PrimitiveType.STRING, true),
          new Field("text", PrimitiveType.STRING, true),
          new Field("list", new ListType(PrimitiveType.INT32, true), true));

  /** Compute threads of the context, unlike the processors of most machines. */
  private static final int THREADS = 5;

  private static final int ROWS = 30_000;
  private static final int PAGE_ROWS = 500;
  private static final int BATCH_ROWS = 1024;
  private static final long PART_BYTES = 20_000;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<String, LongAdder> counters = new TreeMap<>();
  private Backend backend;
  private Path file;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    file = folder.resolve("large.parquet");
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void partsTogetherAreTheRowGroup() throws Exception {
    List<List<Object>> rows = write(PAGE_ROWS, CompressionCodecName.SNAPPY);
    for (int repeat = 0; repeat < 5; repeat++) {
      List<Split> splits = new ArrayList<>();
      try (SplitSource source = source(null, PART_BYTES)) {
        for (Split split = source.next(); split != null; split = source.next()) {
          splits.add(split);
        }
        assertEquals(2 * THREADS, splits.size());
        assertEquals(rows, together(splits));
      }
    }
  }

  @Test
  void readsBytesOnce() throws Exception {
    List<List<Object>> rows = write(PAGE_ROWS, CompressionCodecName.GZIP);
    assertEquals(rows, alone(null, Long.MAX_VALUE));
    long once = counters.get("bytesRead").sum();
    long unpacked = counters.get("bytesDecompressed").sum();
    counters.clear();
    assertEquals(rows, alone(null, PART_BYTES));
    assertEquals(once, counters.get("bytesRead").sum());
    assertEquals(unpacked, counters.get("bytesDecompressed").sum());
  }

  @Test
  void appliesPredicatesInAllParts() throws Exception {
    List<List<Object>> rows = write(PAGE_ROWS, CompressionCodecName.SNAPPY);
    for (long first : new long[] {0, 100, ROWS / 2, ROWS - 1, ROWS}) {
      List<List<Object>> expected =
          rows.stream().filter(row -> (Long) row.get(0) >= first).toList();
      assertEquals(expected, alone(atLeast(first), 1), "from " + first + ", seed " + seed);
      counters.clear();
      assertEquals(expected, alone(atLeast(first), Long.MAX_VALUE), "from " + first);
      long pruned = counters.get("rowsPrunedByStatistics").sum();
      counters.clear();
      alone(atLeast(first), 1);
      assertEquals(pruned, counters.get("rowsPrunedByStatistics").sum(), "from " + first);
      counters.clear();
    }
  }

  /** A part need not be driven, or not to its end. */
  @Test
  void partsCanBeClosedEarly() throws Exception {
    List<List<Object>> rows = write(PAGE_ROWS, CompressionCodecName.SNAPPY);
    for (int driven = 0; driven < 4; driven++) {
      try (SplitSource source = source(null, PART_BYTES)) {
        int number = 0;
        for (Split split = source.next(); split != null; split = source.next()) {
          if (number++ == driven) {
            RecordBatch batch = split.next();
            ColumnReader ids = new ColumnReader(batch.column(0));
            long first = (Long) ids.getValue(0);
            assertTrue(driven == 0 ? first == 0 : first > 0 && first < rows.size());
            batch.close();
          }
          split.close();
        }
      }
    }
  }

  @Test
  void doesNotDivideSmallOrUnindexedRowGroups() throws Exception {
    write(PAGE_ROWS, CompressionCodecName.SNAPPY);
    assertEquals(1, splits(ParquetScanOptions.DEFAULT_PART_BYTES));
    write(ROWS, CompressionCodecName.SNAPPY);
    assertEquals(1, splits(PART_BYTES)); // one page per column
  }

  private int splits(long partBytes) {
    int count = 0;
    try (SplitSource source = source(null, partBytes)) {
      for (Split split = source.next(); split != null; split = source.next()) {
        split.close();
        count++;
      }
    }
    return count;
  }

  private List<List<Object>> write(int pageRows, CompressionCodecName codec) throws IOException {
    List<Group> groups = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    for (long id = 0; id < ROWS; id++) {
      SimpleGroup group = new SimpleGroup(SCHEMA);
      List<Object> row = new ArrayList<>();
      group.add("id", id);
      row.add(id);
      addText(group, row, "word", random.nextInt(8) == 0 ? null : "word " + random.nextInt(200));
      addText(group, row, "text", random.nextInt(9) == 0 ? null : "text " + random.nextLong());
      row.add(random.nextInt(6) == 0 ? null : addList(group.addGroup("list")));
      groups.add(group);
      rows.add(row);
    }
    WriterOptions options =
        WriterOptions.PLAIN
            .withCodec(codec)
            .withPages(WriterVersion.PARQUET_1_0, true, pageRows)
            .withExtras(false, true, false, false);
    ParquetMrFiles.write(file, SCHEMA, groups, options, Map.of());
    assertEquals(1, ParquetMrFiles.footer(file).getBlocks().size());
    assertFalse(rows.isEmpty());
    return rows;
  }

  private static void addText(Group group, List<Object> row, String field, String value) {
    if (value != null) {
      group.add(field, value);
    }
    row.add(value);
  }

  private List<Object> addList(Group list) {
    List<Object> elements = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Group element = list.addGroup("list");
      Integer value = random.nextInt(5) == 0 ? null : (Integer) random.nextInt(100);
      if (value != null) {
        element.add("element", value);
      }
      elements.add(value);
    }
    return elements;
  }

  private static Expression atLeast(long id) {
    return new Call(
        Function.GREATER_OR_EQUAL,
        List.of(
            new ColumnReference(0, PrimitiveType.INT64, false),
            new Literal(id, PrimitiveType.INT64)),
        PrimitiveType.BOOLEAN,
        false,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }

  private SplitSource source(Expression predicate, long partBytes) {
    ParquetScanSpec spec =
        new ParquetScanSpec(
            FIELDS.stream().map(ScanColumn::ofFile).toList(),
            predicate,
            ParquetScanOptions.DEFAULT.withBatchRows(BATCH_ROWS).withPartBytes(partBytes));
    try {
      return ParquetSplitSource.factory(
              spec, List.of(ScanRun.whole(file)), slice -> LocalFileReader.open(file))
          .create(
              new OperatorContext(memory.allocator(), backend, () -> false)
                  .withThreadCount(THREADS),
              name -> counters.computeIfAbsent(name, key -> new LongAdder()));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Reads all parts on one thread, one after the other. */
  private List<List<Object>> alone(Expression predicate, long partBytes) {
    List<List<Object>> rows = new ArrayList<>();
    try (SplitSource source = source(predicate, partBytes)) {
      for (Split split = source.next(); split != null; split = source.next()) {
        rows.addAll(drain(split));
      }
    }
    return rows;
  }

  /** Reads every part on a separate thread. */
  private static List<List<Object>> together(List<Split> splits) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(splits.size());
    try {
      List<Callable<List<List<Object>>>> reads = new ArrayList<>();
      splits.forEach(split -> reads.add(() -> drain(split)));
      List<List<Object>> rows = new ArrayList<>();
      for (Future<List<List<Object>>> part : threads.invokeAll(reads)) {
        assertFalse(part.get().isEmpty());
        rows.addAll(part.get());
      }
      return rows;
    } finally {
      threads.shutdown();
      assertTrue(threads.awaitTermination(1, TimeUnit.MINUTES));
    }
  }

  private static List<List<Object>> drain(Split split) {
    List<List<Object>> rows = new ArrayList<>();
    try (Split driven = split) {
      for (RecordBatch batch = driven.next(); batch != null; batch = driven.next()) {
        try (RecordBatch read = batch) {
          add(read, rows);
        }
      }
    }
    return rows;
  }

  private static void add(RecordBatch batch, List<List<Object>> rows) {
    List<ColumnReader> readers = new ArrayList<>();
    for (int i = 0; i < batch.columnCount(); i++) {
      readers.add(new ColumnReader(batch.column(i)));
    }
    for (int row = 0; row < batch.rowCount(); row++) {
      List<Object> values = new ArrayList<>();
      for (ColumnReader reader : readers) {
        values.add(reader.getValue(row));
      }
      rows.add(values);
    }
  }
}
