package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
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
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests lists in a page with more entries than are unpacked at a time, with a window that ends
 * within the page.
 */
class TestLongListPages {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { required int64 id; repeated boolean flags; }");
  private static final int ENTRIES_AT_A_TIME = 1 << 20;
  private static final int WINDOW_ROWS = 64;
  private static final int PAGE_ROWS = 2 * WINDOW_ROWS;
  private static final int ROWS = 3 * PAGE_ROWS;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  @Test
  void lastRowOfAWindowMayContinue() throws IOException {
    check(true);
    check(false);
  }

  private void check(boolean isPruned) throws IOException {
    Path file = folder.resolve("long.parquet");
    write(file);
    List<List<Object>> rows = rows(file, isPruned ? PAGE_ROWS : ROWS);
    assertEquals(isPruned ? PAGE_ROWS : ROWS, rows.size());
    for (int row = 0; row < rows.size(); row++) {
      assertEquals((long) row, rows.get(row).get(0));
      List<?> flags = (List<?>) rows.get(row).get(1);
      assertEquals(flagCount(row), flags.size(), "row " + row);
      for (int i = 0; i < flags.size(); i++) {
        assertEquals(flag(row, i), flags.get(i));
      }
    }
  }

  /** The last row of the first window begins two entries before the end of the first ones. */
  private static int flagCount(int row) {
    return row == 0 ? ENTRIES_AT_A_TIME - WINDOW_ROWS : row == WINDOW_ROWS - 1 ? 7 : 1;
  }

  private static boolean flag(int row, int i) {
    return (row + i) % 3 == 0;
  }

  private static void write(Path file) throws IOException {
    List<Group> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      SimpleGroup group = new SimpleGroup(SCHEMA);
      group.add("id", (long) row);
      for (int i = 0; i < flagCount(row); i++) {
        group.add("flags", flag(row, i));
      }
      rows.add(group);
    }
    WriterOptions options =
        WriterOptions.PLAIN.withPages(WriterVersion.PARQUET_1_0, false, PAGE_ROWS);
    ParquetMrFiles.write(file, SCHEMA, rows, options, Map.of());
    try (ParquetFileReader reader = ParquetMrFiles.open(file)) {
      var flags = reader.getRowGroups().get(0).getColumns().get(1);
      assertEquals(PAGE_ROWS, reader.readOffsetIndex(flags).getFirstRowIndex(1));
    }
  }

  private List<List<Object>> rows(Path file, long endId) throws IOException {
    Field id = new Field("id", PrimitiveType.INT64, false);
    Field flags = new Field("flags", new ListType(PrimitiveType.BOOLEAN, false), false);
    Expression isWanted =
        new Call(
            Function.LESS,
            List.of(
                new ColumnReference(0, PrimitiveType.INT64, false),
                new Literal(endId, PrimitiveType.INT64)),
            PrimitiveType.BOOLEAN,
            true,
            EvaluationMode.LEGACY,
            -1);
    List<ScanColumn> columns = List.of(ScanColumn.ofFile(id), ScanColumn.ofFile(flags));
    ParquetScanSpec spec =
        new ParquetScanSpec(
            columns, isWanted, ParquetScanOptions.DEFAULT.withBatchRows(WINDOW_ROWS));
    try (Backend backend = HostBackend.open()) {
      ScanRun run = new ScanRun(new OperatorContext(memory.allocator(), backend, () -> false));
      return run.rows(spec, List.of(ScanRun.whole(file)));
    }
  }
}
