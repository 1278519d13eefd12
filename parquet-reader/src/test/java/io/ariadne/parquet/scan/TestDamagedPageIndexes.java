package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests pages that are skipped by an index that does not match them. */
class TestDamagedPageIndexes {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType("message m { required int64 id; }");
  private static final int ROWS = 1000;
  private static final int PAGE_ROWS = 100;
  private static final int WANTED_PAGE = 5;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @TempDir Path folder;

  private final Backend backend = HostBackend.open();
  private Path file;
  private long pageOffset;

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("indexed.parquet");
    List<Group> rows = new ArrayList<>();
    for (long i = 0; i < ROWS; i++) {
      rows.add(new SimpleGroup(SCHEMA).append("id", i));
    }
    WriterOptions options =
        WriterOptions.PLAIN.withPages(WriterVersion.PARQUET_1_0, false, PAGE_ROWS);
    ParquetMrFiles.write(file, SCHEMA, rows, options, Map.of());
    try (ParquetFileReader reader = ParquetMrFiles.open(file)) {
      var chunk = reader.getRowGroups().get(0).getColumns().get(0);
      pageOffset = reader.readOffsetIndex(chunk).getOffset(WANTED_PAGE);
    }
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void readsAnIntactFile() {
    assertEquals(List.of(List.of(555L)), rowsOf(555));
  }

  /** A page that is not a data page was looked up in the index endlessly. */
  @Test
  void rejectsAnIndexThatNamesAPageWithoutData() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    assertEquals(0x15, bytes[(int) pageOffset], "the page type's field");
    assertEquals(0, bytes[(int) pageOffset + 1], "a data page");
    bytes[(int) pageOffset + 1] = 2; // INDEX_PAGE
    Files.write(file, bytes);
    EngineException e =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> assertThrows(EngineException.class, () -> rowsOf(555)));
    assertEquals(ErrorCode.CORRUPT_DATA, e.code());
    assertTrue(e.getMessage().contains("the offset index has page " + WANTED_PAGE), e.toString());
  }

  private List<List<Object>> rowsOf(long id) {
    Field field = new Field("id", PrimitiveType.INT64, false);
    Call isWanted =
        new Call(
            Function.EQUAL,
            List.of(
                new ColumnReference(0, PrimitiveType.INT64, false),
                new Literal(id, PrimitiveType.INT64)),
            PrimitiveType.BOOLEAN,
            true,
            EvaluationMode.LEGACY,
            -1);
    ParquetScanSpec spec =
        new ParquetScanSpec(
            List.of(ScanColumn.ofFile(field)), isWanted, ParquetScanOptions.DEFAULT);
    ScanRun run = new ScanRun(new OperatorContext(memory.allocator(), backend, () -> false));
    try {
      return run.rows(spec, List.of(ScanRun.whole(file)));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
