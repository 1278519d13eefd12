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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that row groups whose dictionaries have no matching entry are skipped. */
class TestDictionaryPruning {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { optional int64 kind; required int64 number; }");
  private static final List<Field> FIELDS =
      List.of(
          new Field("kind", PrimitiveType.INT64, true),
          new Field("number", PrimitiveType.INT64, false));
  private static final int ROWS = 50_000;
  private static final int NUMBERS = 8192;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private Backend backend;
  private ScanRun run;
  private Path file;

  @BeforeEach
  void open() throws IOException {
    backend = HostBackend.open();
    run = new ScanRun(new OperatorContext(memory.allocator(), backend, () -> false));
    file = folder.resolve("kinds.parquet");
    List<Group> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      SimpleGroup row = new SimpleGroup(SCHEMA);
      if (i % 10 != 0) {
        row.add("kind", i % 50 * 2L);
      }
      long root = i % NUMBERS;
      row.add("number", root * root);
      rows.add(row);
    }
    ParquetMrFiles.write(file, SCHEMA, rows, WriterOptions.PLAIN, Map.of());
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void skipsRowGroupsWithoutAMatchingEntry() throws IOException {
    assertEquals(List.of(), read(33));
    assertEquals(1, run.counter("rowGroupsPruned"));
    assertEquals(ROWS, run.counter("rowsPrunedByStatistics"));
    assertTrue(run.counter("bytesRead") < Files.size(file) / 2, "the other column was read");
  }

  @Test
  void readsRowGroupsWithAMatchingEntry() throws IOException {
    List<List<Object>> rows = read(34);
    assertEquals(ROWS / 50, rows.size());
    assertEquals(List.of(34L, 17L * 17), rows.get(0));
    assertEquals(0, run.counter("rowGroupsPruned"));
    assertTrue(run.counter("bytesRead") <= Files.size(file), "something was read twice");
  }

  /**
   * A list that is too long to be looked up for each entry keeps the row group, but none of its
   * rows.
   */
  @Test
  void keepsRowGroupsForLongLists() throws IOException {
    assertEquals(List.of(), read(in(0, 40)));
    assertEquals(1, run.counter("rowGroupsPruned"));
    assertEquals(List.of(), read(in(1, 1)));
    assertEquals(2, run.counter("rowGroupsPruned"));
    assertEquals(List.of(), read(in(1, 40)));
    assertEquals(2, run.counter("rowGroupsPruned"));
  }

  /**
   * Returns a predicate that a column is one of several numbers. None occurs; all are within the
   * bounds.
   */
  private static Expression in(int column, int count) {
    List<Expression> arguments = new ArrayList<>();
    arguments.add(new ColumnReference(column, PrimitiveType.INT64, column == 0));
    for (long i = 1; i <= count; i++) {
      long value = column == 0 ? 2 * i - 1 : i * i + 2;
      arguments.add(new Literal(value, PrimitiveType.INT64));
    }
    return new Call(Function.IN, arguments, PrimitiveType.BOOLEAN, true, EvaluationMode.LEGACY, -1);
  }

  private List<List<Object>> read(long kind) throws IOException {
    return read(equal(kind));
  }

  private static Expression equal(long kind) {
    return new Call(
        Function.EQUAL,
        List.of(
            new ColumnReference(0, PrimitiveType.INT64, true),
            new Literal(kind, PrimitiveType.INT64)),
        PrimitiveType.BOOLEAN,
        true,
        EvaluationMode.LEGACY,
        -1);
  }

  private List<List<Object>> read(Expression predicate) throws IOException {
    ParquetScanSpec spec =
        new ParquetScanSpec(
            FIELDS.stream().map(ScanColumn::ofFile).toList(),
            predicate,
            ParquetScanOptions.DEFAULT);
    return run.rows(spec, List.of(ScanRun.whole(file)));
  }
}
