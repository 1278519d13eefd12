package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
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

/** Tests predicates of several conjuncts, evaluated one after the other. */
class TestConjunctOrder {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { optional int64 a; optional int64 b; optional int64 c; required int64 n; }");
  private static final List<Field> FIELDS =
      List.of(
          new Field("a", PrimitiveType.INT64, true),
          new Field("b", PrimitiveType.INT64, true),
          new Field("c", PrimitiveType.INT64, true),
          new Field("n", PrimitiveType.INT64, false));
  private static final int ROWS = 40_000;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private Backend backend;
  private ScanRun run;
  private Path file;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    run = new ScanRun(new OperatorContext(memory.allocator(), backend, () -> false));
    file = folder.resolve("conjuncts.parquet");
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void columnsOfLaterConjunctsAreReadForSurvivorsOnly() throws IOException {
    List<Long[]> rows = new ArrayList<>();
    for (long i = 0; i < ROWS; i++) {
      rows.add(new Long[] {random.nextLong() >>> 1, i / 4000, null, i});
    }
    write(rows, false);
    Expression predicate =
        and(compare(Function.GREATER_OR_EQUAL, 0, 0), compare(Function.EQUAL, 1, 7));
    List<List<Object>> expected = expected(rows, row -> row[1] == 7);
    assertEquals(expected, read(predicate, 512));
    long all = 2L * ROWS * Long.BYTES;
    long decompressed = run.counter("bytesDecompressed");
    assertTrue(decompressed < all * 3 / 4, decompressed + " of " + all);
  }

  @Test
  void rowsOfRandomPredicates() throws IOException {
    for (int i = 0; i < 12; i++) {
      List<Long[]> rows = new ArrayList<>();
      for (long k = 0; k < 9000; k++) {
        rows.add(new Long[] {value(10), value(1000), value(3), k});
      }
      write(rows, random.nextBoolean());
      long a = random.nextInt(11);
      long b = random.nextInt(1001);
      long high = b + random.nextInt(600);
      long c = random.nextInt(4);
      Expression predicate =
          and(
              and(compare(Function.LESS, 0, a), compare(Function.GREATER_OR_EQUAL, 1, b)),
              and(compare(Function.NOT_EQUAL, 2, c), compare(Function.LESS, 1, high)));
      List<List<Object>> expected =
          expected(
              rows,
              row ->
                  row[0] != null
                      && row[0] < a
                      && row[1] != null
                      && row[1] >= b
                      && row[1] < high
                      && row[2] != null
                      && row[2] != c);
      assertEquals(expected, read(predicate, 64 << random.nextInt(4)), "seed " + seed);
    }
  }

  private Long value(int distinct) {
    return random.nextInt(20) == 0 ? null : (Long) (long) random.nextInt(distinct);
  }

  /** Decides about a row. */
  private interface RowTest {
    boolean holds(Long[] row);
  }

  private static List<List<Object>> expected(List<Long[]> rows, RowTest test) {
    List<List<Object>> expected = new ArrayList<>();
    for (Long[] row : rows) {
      if (test.holds(row)) {
        List<Object> values = new ArrayList<>();
        for (Long value : row) {
          values.add(value);
        }
        expected.add(values);
      }
    }
    return expected;
  }

  private void write(List<Long[]> rows, boolean dictionary) throws IOException {
    List<Group> groups = new ArrayList<>();
    for (Long[] row : rows) {
      SimpleGroup group = new SimpleGroup(SCHEMA);
      for (int i = 0; i < row.length; i++) {
        if (row[i] != null) {
          group.add(FIELDS.get(i).name(), Objects.requireNonNull(row[i]));
        }
      }
      groups.add(group);
    }
    WriterOptions options =
        WriterOptions.PLAIN
            .withCodec(CompressionCodecName.SNAPPY)
            .withPages(WriterVersion.PARQUET_1_0, dictionary, 500)
            .withExtras(false, false, false, false);
    ParquetMrFiles.write(file, SCHEMA, groups, options, Map.of());
  }

  private List<List<Object>> read(Expression predicate, int batchRows) throws IOException {
    ParquetScanSpec spec =
        new ParquetScanSpec(
            FIELDS.stream().map(ScanColumn::ofFile).toList(),
            predicate,
            ParquetScanOptions.DEFAULT.withBatchRows(batchRows));
    return run.rows(spec, List.of(ScanRun.whole(file)));
  }

  private static Expression compare(Function function, int column, long value) {
    return call(
        function,
        new ColumnReference(column, PrimitiveType.INT64, true),
        new Literal(value, PrimitiveType.INT64));
  }

  private static Expression and(Expression left, Expression right) {
    return call(Function.AND, left, right);
  }

  private static Expression call(Function function, Expression left, Expression right) {
    return new Call(
        function, List.of(left, right), PrimitiveType.BOOLEAN, true, EvaluationMode.LEGACY, -1);
  }
}
