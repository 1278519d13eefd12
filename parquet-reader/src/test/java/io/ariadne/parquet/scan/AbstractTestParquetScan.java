package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.RandomGroups;
import io.ariadne.parquet.testing.TestSchemas;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Compares scans of files that parquet-mr wrote with the rows that were written. */
abstract class AbstractTestParquetScan {
  private static final CompressionCodecName[] CODECS = {
    CompressionCodecName.UNCOMPRESSED,
    CompressionCodecName.SNAPPY,
    CompressionCodecName.GZIP,
    CompressionCodecName.ZSTD,
    CompressionCodecName.LZ4_RAW
  };
  private static final int[] BATCH_ROWS = {64, 192, 1024, 65_536};
  private static final long PART_BYTES = 2000;
  private static final long MAX_PART_BYTES = 1 << 20;
  private static final int[] PAGE_ROWS = {1, 7, 100, 1000, 20_000};

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final KernelTestTarget target;
  private final int maxRows;
  private final int cases;
  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private Backend backend;
  private ScanStorage storage;
  private ScanRun run;

  AbstractTestParquetScan(KernelTestTarget target, int maxRows, int cases) {
    this.target = target;
    this.maxRows = maxRows;
    this.cases = cases;
  }

  @BeforeEach
  void open() {
    System.out.println("replay with -Dariadne.test.seed=" + seed);
    backend = target.open(seed);
    storage = storage(seed);
    run = new ScanRun(target.context(backend, memory.allocator()), storage);
  }

  /** Returns where the files are. */
  ScanStorage storage(long seed) {
    return ScanStorage.DIRECT;
  }

  /** Checks that a test has used what it is for. */
  void checkUse(ScanRun run) {}

  @AfterEach
  void close() {
    if (storage != null) {
      storage.checkUse(run);
      checkUse(run);
      storage.close();
    }
    if (backend != null) { // the target may have skipped the test
      backend.close();
    }
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    checkUntil(false, () -> run.dictionaryColumns() > 0);
    assertTrue(run.dictionaryColumns() > 0, "no window stayed dictionary coded, seed " + seed);
  }

  @Test
  void readsTheRowsOfAPredicate() throws IOException {
    checkUntil(true, () -> run.counter("rowsFiltered") > 0);
    assertTrue(run.counter("rowsFiltered") > 0, "seed " + seed);
  }

  /**
   * Checks the requested number of random cases, and more until everything that must occur has
   * occurred.
   */
  private void checkUntil(boolean filters, BooleanSupplier occurred) throws IOException {
    int most = 20 * cases;
    for (int i = 0; i < cases || (i < most && !occurred.getAsBoolean()); i++) {
      check(i, filters);
    }
  }

  @Test
  void readsOnlyPagesThatMayMatch() throws IOException {
    List<Group> rows = new RandomGroups(random, 1000, 0.2).rows(TestSchemas.FLAT, maxRows);
    rows.sort(Comparator.comparingInt(AbstractTestParquetScan::key).reversed());
    Path file = folder.resolve("sorted.parquet");
    for (int pageRows : new int[] {10, 100}) {
      WriterOptions options =
          WriterOptions.PLAIN
              .withCodec(CODECS[random.nextInt(CODECS.length)])
              .withPages(WriterVersion.PARQUET_1_0, random.nextBoolean(), pageRows);
      ParquetMrFiles.write(file, TestSchemas.FLAT, rows, options, Map.of());
      int limit = Integer.MIN_VALUE / 4 * 3;
      ParquetScanSpec spec = spec(ExpectedColumns.all(), limit);
      long readBefore = run.counter("bytesRead");
      assertEquals(
          expected(rows, spec.schema().fields(), true, limit),
          run.rows(spec, List.of(ScanRun.whole(file))),
          "seed " + seed);
      assertTrue(run.counter("pagesPruned") > 0, "no page was skipped, seed " + seed);
      assertTrue(run.counter("rowsPrunedByStatistics") > 0, "seed " + seed);
      assertTrue(run.counter("bytesRead") - readBefore < Files.size(file));
    }
  }

  private static int key(Group row) {
    boolean isNull = row.getFieldRepetitionCount("int32") == 0;
    return isNull ? Integer.MAX_VALUE : row.getInteger("int32", 0);
  }

  private void check(int number, boolean filters) throws IOException {
    WriterOptions options = options();
    int rowCount = random.nextInt(10) == 0 ? random.nextInt(3) : random.nextInt(maxRows);
    double nulls = new double[] {0, 0.05, 0.5, 1}[random.nextInt(4)];
    int distinct = random.nextBoolean() ? 5 : 1 + random.nextInt(2000);
    List<Group> rows = new RandomGroups(random, distinct, nulls).rows(TestSchemas.FLAT, rowCount);
    Path file = folder.resolve("case" + number + ".parquet");
    ParquetMrFiles.write(file, TestSchemas.FLAT, rows, options, Map.of());
    List<Field> fields = new ArrayList<>(ExpectedColumns.all());
    Collections.shuffle(fields, random);
    fields = fields.subList(0, 1 + random.nextInt(fields.size()));
    int limit = random.nextInt();
    ParquetScanSpec spec = spec(fields, filters ? limit : null);
    List<List<Object>> expected = expected(rows, spec.schema().fields(), filters, limit);
    List<List<Object>> actual = run.rows(spec, List.of(ScanRun.whole(file)));
    String what = "case " + number + " seed " + seed + " " + options + " nulls " + nulls;
    assertEquals(expected.size(), actual.size(), what);
    for (int row = 0; row < expected.size(); row++) {
      assertEquals(expected.get(row), actual.get(row), what + " row " + row + " of " + fields);
    }
  }

  private WriterOptions options() {
    WriterVersion version =
        random.nextBoolean() ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0;
    return WriterOptions.PLAIN
        .withCodec(CODECS[random.nextInt(CODECS.length)])
        .withPages(version, random.nextBoolean(), PAGE_ROWS[random.nextInt(PAGE_ROWS.length)])
        .withRowGroupBytes(random.nextBoolean() ? 20_000 : 1 << 30)
        .withExtras(false, random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
  }

  private ParquetScanSpec spec(List<Field> fields, Integer limit) {
    List<Field> read = new ArrayList<>(fields);
    Expression predicate = null;
    if (limit != null) {
      read.removeIf(field -> field.name().equals("int32"));
      read.add(new Field("int32", PrimitiveType.INT32, true));
      predicate =
          new Call(
              Function.LESS,
              List.of(
                  new ColumnReference(read.size() - 1, PrimitiveType.INT32, true),
                  new Literal(limit, PrimitiveType.INT32)),
              PrimitiveType.BOOLEAN,
              true,
              EvaluationMode.LEGACY,
              -1);
    }
    return new ParquetScanSpec(
        read.stream().map(ScanColumn::ofFile).toList(),
        predicate,
        ParquetScanOptions.DEFAULT
            .withBatchRows(BATCH_ROWS[random.nextInt(BATCH_ROWS.length)])
            .withPartBytes(random.nextBoolean() ? PART_BYTES : MAX_PART_BYTES));
  }

  private static List<List<Object>> expected(
      List<Group> rows, List<Field> fields, boolean filters, int limit) {
    List<List<Object>> expected = new ArrayList<>();
    for (Group row : rows) {
      boolean isWanted =
          !filters
              || (row.getFieldRepetitionCount("int32") > 0 && row.getInteger("int32", 0) < limit);
      if (isWanted) {
        List<Object> values = new ArrayList<>();
        fields.forEach(field -> values.add(ExpectedColumns.value(row, field)));
        expected.add(values);
      }
    }
    return expected;
  }
}
