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

/** Row groups whose dictionaries have no entry that matches are not read. */
class TestDictionaryPruning {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { optional int64 kind; required int64 number; }");
  private static final List<Field> FIELDS =
      List.of(
          new Field("kind", PrimitiveType.INT64, true),
          new Field("number", PrimitiveType.INT64, false));
  private static final int ROWS = 50_000;

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
      row.add("number", (long) i * i);
      rows.add(row);
    }
    ParquetMrFiles.write(file, SCHEMA, rows, WriterOptions.PLAIN, Map.of());
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void testNoEntryMatches() throws IOException {
    assertEquals(List.of(), read(33));
    assertEquals(1, run.figure("rowGroupsPruned"));
    assertEquals(ROWS, run.figure("rowsPrunedByStatistics"));
    assertTrue(run.figure("bytesRead") < Files.size(file) / 2, "the other column was read");
  }

  @Test
  void testEntryMatches() throws IOException {
    List<List<Object>> rows = read(34);
    assertEquals(ROWS / 50, rows.size());
    assertEquals(List.of(34L, 17L * 17), rows.get(0));
    assertEquals(0, run.figure("rowGroupsPruned"));
    assertTrue(run.figure("bytesRead") <= Files.size(file), "something was read twice");
  }

  private List<List<Object>> read(long kind) throws IOException {
    Expression predicate =
        new Call(
            Function.EQUAL,
            List.of(
                new ColumnReference(0, PrimitiveType.INT64, true),
                new Literal(kind, PrimitiveType.INT64)),
            PrimitiveType.BOOLEAN,
            true,
            EvaluationMode.LEGACY,
            -1);
    ParquetScanSpec spec =
        new ParquetScanSpec(
            FIELDS.stream().map(ScanColumn::ofFile).toList(),
            predicate,
            ParquetScanOptions.DEFAULT);
    return run.rows(spec, List.of(ScanRun.whole(file)));
  }
}
