package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DecimalType;
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
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests rows of several small files in one batch: the rows and failures equal those of files read
 * one by one.
 */
class TestCombinedFiles {
  private static final String COLUMNS =
      "required int32 id; optional binary text (STRING); optional boolean flag;"
          + " optional int64 amount (DECIMAL(18,2)); optional binary word (STRING);";
  private static final MessageType FULL =
      MessageTypeParser.parseMessageType("message m { " + COLUMNS + " optional int64 late; }");
  private static final MessageType OLD =
      MessageTypeParser.parseMessageType("message m { " + COLUMNS + " }");
  private static final Field LIST =
      new Field("list", new ListType(PrimitiveType.INT32, true), true);
  private static final List<ScanColumn> SCAN =
      List.of(
          ScanColumn.ofFile(new Field("id", PrimitiveType.INT32, false)),
          ScanColumn.ofFile(new Field("text", PrimitiveType.STRING, true)),
          ScanColumn.ofFile(new Field("flag", PrimitiveType.BOOLEAN, true)),
          ScanColumn.ofFile(new Field("amount", new DecimalType(18, 2), true)),
          ScanColumn.ofFile(new Field("word", PrimitiveType.STRING, true)),
          ScanColumn.ofFile(new Field("late", PrimitiveType.INT64, true)),
          ScanColumn.ofConstant(new Field("part", PrimitiveType.STRING, true), 0));
  private static final int FILES = 300;
  private static final int DAMAGED = 123;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<FileSlice> slices = new ArrayList<>();
  private final List<List<Object>> rows = new ArrayList<>();
  private Backend backend;
  private int batches;

  @BeforeEach
  void write() throws IOException {
    backend = HostBackend.open();
    for (int i = 0; i < FILES; i++) {
      write(i);
    }
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private void write(int number) throws IOException {
    MessageType schema = random.nextBoolean() ? FULL : OLD;
    long largest = random.nextInt(10) == 0 ? Long.MAX_VALUE / 100 : 1000;
    double nulls = new double[] {0, 0.3, 1}[random.nextInt(3)];
    String part = random.nextInt(5) == 0 ? null : "a part with a long name, number " + number % 3;
    List<Group> groups = new ArrayList<>();
    for (int i = random.nextInt(10) == 0 ? 0 : random.nextInt(120); i > 0; i--) {
      groups.add(row(schema, largest, nulls, part));
    }
    Path file = folder.resolve("small" + number + ".parquet");
    WriterOptions options =
        WriterOptions.PLAIN.withPages(WriterVersion.PARQUET_1_0, random.nextBoolean(), 1000);
    ParquetMrFiles.write(file, schema, groups, options, Map.of());
    byte[] constant = part == null ? null : part.getBytes(StandardCharsets.UTF_8);
    slices.add(
        new FileSlice(
            file.toString(),
            0,
            Files.size(file),
            List.of(new Literal(constant, PrimitiveType.STRING))));
  }

  private Group row(MessageType schema, long largest, double nulls, String part) {
    SimpleGroup group = new SimpleGroup(schema);
    List<Object> row = new ArrayList<>();
    group.add("id", rows.size());
    row.add(rows.size());
    String text = isNull(nulls) ? null : "text ".repeat(random.nextInt(5)) + random.nextInt(9);
    Boolean flag = isNull(nulls) ? null : (Boolean) random.nextBoolean();
    Long amount = isNull(nulls) ? null : (Long) (random.nextLong() % largest);
    String word = isNull(nulls) ? null : "one of some long words: " + random.nextInt(3);
    if (text != null) {
      group.add("text", text);
    }
    if (flag != null) {
      group.add("flag", flag);
    }
    if (amount != null) {
      group.add("amount", amount);
    }
    if (word != null) {
      group.add("word", word);
    }
    row.add(text);
    row.add(flag);
    row.add(amount == null ? null : BigDecimal.valueOf(amount, 2));
    row.add(word);
    boolean isLate = schema.equals(FULL) && !isNull(nulls);
    if (isLate) {
      group.add("late", rows.size() * 3L);
    }
    row.add(isLate ? (Long) (rows.size() * 3L) : null);
    row.add(part);
    rows.add(row);
    return group;
  }

  private boolean isNull(double nulls) {
    return random.nextDouble() < nulls;
  }

  @Test
  void readsRowsOfAllFilesInOrder() {
    assertEquals(rows, read(spec(null, false), false), "seed " + seed);
    assertTrue(batches <= FILES / 4, batches + " batches, seed " + seed);
    batches = 0;
    assertEquals(rows, read(spec(null, false), true), "seed " + seed);
    assertTrue(batches > FILES / 2, batches + " batches of files that are kept apart");
  }

  @Test
  void readsOnlyRowsThatPass() {
    Expression few =
        new Call(
            Function.GREATER_OR_EQUAL,
            List.of(
                new ColumnReference(3, new DecimalType(18, 2), true),
                new Literal(BigInteger.valueOf(900), new DecimalType(18, 2))),
            PrimitiveType.BOOLEAN,
            true,
            EvaluationMode.LEGACY,
            ExpressionError.NO_ORIGIN);
    BigDecimal least = BigDecimal.valueOf(9);
    List<List<Object>> expected =
        rows.stream()
            .filter(row -> row.get(3) instanceof BigDecimal value && value.compareTo(least) >= 0)
            .toList();
    assertEquals(expected, read(spec(few, false), false), "seed " + seed);
  }

  @Test
  void nestedColumnsAreNotCombined() {
    List<ScanColumn> columns = List.of(SCAN.get(0), ScanColumn.ofFile(LIST));
    ParquetScanSpec spec = new ParquetScanSpec(columns, null, ParquetScanOptions.DEFAULT);
    List<List<Object>> read = read(spec, false);
    assertEquals(rows.size(), read.size());
    assertEquals(
        rows.stream().map(row -> row.get(0)).toList(),
        read.stream().map(row -> row.get(0)).toList());
  }

  @Test
  void failureComesAfterTheRowsBeforeIt() throws IOException {
    int before = damage();
    List<List<Object>> read = new ArrayList<>();
    ScanException e = assertThrows(ScanException.class, () -> read(spec(null, false), false, read));
    assertEquals(slices.get(DAMAGED).path(), e.file());
    assertEquals(rows.subList(0, before), read, "seed " + seed);
  }

  @Test
  void skipsDamagedFilesIfRequested() throws IOException {
    List<List<Object>> all = read(spec(null, true), true);
    assertEquals(rows, all);
    int before = damage();
    List<List<Object>> read = read(spec(null, true), false);
    assertEquals(rows.subList(0, before), read.subList(0, before));
    int missing = rows.size() - read.size();
    assertEquals(rows.subList(before + missing, rows.size()), read.subList(before, read.size()));
  }

  /** Damages the footer of a file; returns the rows before it. */
  private int damage() throws IOException {
    int before = 0;
    for (FileSlice slice : slices.subList(0, DAMAGED)) {
      before +=
          (int)
              ParquetMrFiles.footer(Path.of(slice.path())).getBlocks().stream()
                  .mapToLong(block -> block.getRowCount())
                  .sum();
    }
    Path file = Path.of(slices.get(DAMAGED).path());
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 6] = 127; // a footer longer than the file
    Files.write(file, bytes);
    return before;
  }

  private static ParquetScanSpec spec(Expression predicate, boolean ignoresCorrupt) {
    return new ParquetScanSpec(SCAN, predicate, TestScanErrors.options(ignoresCorrupt, false));
  }

  private List<List<Object>> read(ParquetScanSpec spec, boolean keepsFilesApart) {
    List<List<Object>> read = new ArrayList<>();
    read(spec, keepsFilesApart, read);
    return read;
  }

  private void read(ParquetScanSpec spec, boolean keepsFilesApart, List<List<Object>> read) {
    FileOpener opener = slice -> LocalFileReader.open(Path.of(slice.path()));
    OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
    try (SplitSource source =
        ParquetSplitSource.factory(
                spec, slices, opener, ReferenceReader.NONE, keepsFilesApart, null)
            .create(context, name -> new LongAdder())) {
      for (Split split = source.next(); split != null; split = source.next()) {
        try (Split driven = split) {
          add(driven, read);
        }
      }
    }
  }

  private void add(Split split, List<List<Object>> read) {
    for (RecordBatch batch = split.next(); batch != null; batch = split.next()) {
      try (RecordBatch current = batch) {
        batches += current.rowCount() > 0 ? 1 : 0;
        read.addAll(BatchAssertions.rows(current));
      }
    }
  }
}
