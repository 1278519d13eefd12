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
import io.ariadne.parquet.testing.NestedRows;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.RandomGroups;
import io.ariadne.parquet.testing.TestSchemas;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares scans of nested columns, with and without a predicate, with the rows that were written.
 */
abstract class AbstractTestNestedScan {
  private static final Field ID = new Field("id", PrimitiveType.INT64, false);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @TempDir Path folder;

  private final KernelTestTarget target;
  private final int cases;
  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private Backend backend;
  private ScanStorage storage;
  private ScanRun run;

  AbstractTestNestedScan(KernelTestTarget target, int cases) {
    this.target = target;
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

  @AfterEach
  void close() {
    if (storage != null) {
      storage.checkUse(run);
      storage.close();
    }
    if (backend != null) { // the target may have skipped the test
      backend.close();
    }
  }

  @Test
  void readsAllRows() throws IOException {
    for (int i = 0; i < cases; i++) {
      check(false);
    }
  }

  @Test
  void readsTheRowsOfAPredicate() throws IOException {
    for (int i = 0; i < cases; i++) {
      check(true);
    }
  }

  @Test
  void readsOnlyPagesOfWantedRows() throws IOException {
    List<Group> rows = new RandomGroups(random, 50, 0.2).rows(TestSchemas.NESTED, 300);
    rows.sort(Comparator.comparingLong(row -> row.getLong("id", 0)));
    for (int pageRows : new int[] {1, 7, 30}) {
      long readBefore = run.counter("bytesRead");
      WriterOptions options =
          WriterOptions.PLAIN.withPages(
              random.nextBoolean() ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0,
              random.nextBoolean(),
              pageRows);
      Path file = check(rows, options, true);
      assertTrue(run.counter("bytesRead") - readBefore < Files.size(file) * 4 / 5, "seed " + seed);
    }
  }

  private void check(boolean filters) throws IOException {
    List<Group> rows =
        new RandomGroups(random, 50, 0.2).rows(TestSchemas.NESTED, random.nextInt(150));
    WriterVersion version =
        random.nextBoolean() ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0;
    WriterOptions options =
        WriterOptions.PLAIN
            .withPages(version, random.nextBoolean(), 1 + random.nextInt(60))
            .withRowGroupBytes(random.nextBoolean() ? 20_000 : 1 << 30);
    check(rows, options, filters);
  }

  /** Writes rows and reads them, with a predicate or without; returns the file. */
  private Path check(List<Group> rows, WriterOptions options, boolean filters) throws IOException {
    Path file = folder.resolve("nested.parquet");
    ParquetMrFiles.write(file, TestSchemas.NESTED, rows, options, Map.of());
    List<ScanColumn> columns = new ArrayList<>();
    columns.add(ScanColumn.ofFile(ID));
    NestedRows.NESTED_FIELDS.forEach(field -> columns.add(ScanColumn.ofFile(field)));
    ParquetScanSpec spec =
        new ParquetScanSpec(
            columns,
            filters ? isNegative() : null,
            ParquetScanOptions.DEFAULT
                .withBatchRows(64 * (1 + random.nextInt(3)))
                .withPartBytes(random.nextBoolean() ? 1 : ParquetScanOptions.DEFAULT_PART_BYTES));
    List<List<Object>> expected = new ArrayList<>();
    for (Group row : rows) {
      long id = row.getLong("id", 0);
      if (!filters || id < 0) {
        List<Object> values = new ArrayList<>();
        values.add(id);
        NestedRows.NESTED_FIELDS.forEach(field -> values.add(NestedRows.value(row, field.name())));
        expected.add(values);
      }
    }
    assertEquals(expected, run.rows(spec, List.of(ScanRun.whole(file))), "seed " + seed);
    return file;
  }

  private static Expression isNegative() {
    return new Call(
        Function.LESS,
        List.of(
            new ColumnReference(0, PrimitiveType.INT64, false),
            new Literal(0L, PrimitiveType.INT64)),
        PrimitiveType.BOOLEAN,
        true,
        EvaluationMode.LEGACY,
        -1);
  }
}
