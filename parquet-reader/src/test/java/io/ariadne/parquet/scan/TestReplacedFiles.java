package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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

/** Tests files that are rewritten after they were listed or read: their current content is read. */
class TestReplacedFiles {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType("message replaced { required int32 value; }");
  private static final long LONG_AGO = 1_500_000_000_000L;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private Backend backend;
  private Path file;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    file = folder.resolve("replaced.parquet");
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private List<List<Object>> write(int rows, int factor, long modified) throws IOException {
    Files.deleteIfExists(file);
    List<Group> groups = new ArrayList<>();
    List<List<Object>> expected = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Group group = new SimpleGroup(SCHEMA);
      group.add("value", i * factor);
      groups.add(group);
      expected.add(List.of(i * factor));
    }
    ParquetMrFiles.write(file, SCHEMA, groups, WriterOptions.PLAIN, Map.of());
    Files.setLastModifiedTime(file, FileTime.fromMillis(modified));
    return expected;
  }

  private FileSlice listed() throws IOException {
    return ScanRun.whole(file);
  }

  private List<List<Object>> read(FileSlice slice) {
    Field field = new Field("value", PrimitiveType.INT32, true);
    ParquetScanSpec spec =
        new ParquetScanSpec(List.of(ScanColumn.ofFile(field)), null, ParquetScanOptions.DEFAULT);
    OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
    return new ScanRun(context).rows(spec, List.of(slice));
  }

  @Test
  void readsTheCurrentFileNotTheListedOne() throws IOException {
    List<List<Object>> first = write(1000, 1, LONG_AGO);
    FileSlice slice = listed();
    assertEquals(first, read(slice));
    List<List<Object>> second = write(400, 7, LONG_AGO + 1);
    assertEquals(second, read(slice));
    assertEquals(second, read(listed()));
  }
}
