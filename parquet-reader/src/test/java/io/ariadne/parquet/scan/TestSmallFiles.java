package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.io.LocalFileReader;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests many small files: splits open them, with the rows and failures of any other file. */
class TestSmallFiles {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType("message small { required int32 value; }");
  private static final int FILES = 40;
  private static final int ROWS = 7;
  private static final int DAMAGED = 23;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final Set<String> opened = Collections.synchronizedSet(new TreeSet<>());
  private final List<FileSlice> slices = new ArrayList<>();
  private Backend backend;
  private OperatorContext context;

  @BeforeEach
  void write() throws IOException {
    backend = HostBackend.open();
    context = new OperatorContext(memory.allocator(), backend, () -> false);
    for (int i = 0; i < FILES; i++) {
      List<Group> groups = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        Group group = new SimpleGroup(SCHEMA);
        group.add("value", i * ROWS + row);
        groups.add(group);
      }
      Path file = folder.resolve("small" + i + ".parquet");
      ParquetMrFiles.write(file, SCHEMA, groups, WriterOptions.PLAIN, Map.of());
      slices.add(ScanRun.whole(file));
    }
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private static ParquetScanSpec spec(boolean ignoresCorrupt) {
    Field field = new Field("value", PrimitiveType.INT32, true);
    return new ParquetScanSpec(
        List.of(ScanColumn.ofFile(field)), null, TestScanErrors.options(ignoresCorrupt, false));
  }

  private SplitSource source(boolean ignoresCorrupt) {
    FileOpener opener =
        slice -> {
          opened.add(slice.path());
          return LocalFileReader.open(Path.of(slice.path()));
        };
    return ParquetSplitSource.factory(spec(ignoresCorrupt), slices, opener)
        .create(context, name -> new LongAdder());
  }

  private void damage() throws IOException {
    Path file = Path.of(slices.get(DAMAGED).path());
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 6] = 127; // a footer longer than the file
    Files.write(file, bytes);
  }

  @Test
  void readsRowsOfAllFilesInOrder() {
    List<List<Object>> expected = new ArrayList<>();
    for (int i = 0; i < FILES * ROWS; i++) {
      expected.add(List.of(i));
    }
    assertEquals(expected, new ScanRun(context).rows(spec(false), slices));
  }

  @Test
  void splitsOpenTheirFiles() {
    List<Split> splits = new ArrayList<>();
    try (SplitSource source = source(false)) {
      for (Split split = source.next(); split != null; split = source.next()) {
        splits.add(split);
      }
      assertEquals(FILES, splits.size());
      assertEquals(Set.of(), opened);
      try (RecordBatch batch = splits.get(5).next()) {
        assertEquals(ROWS, batch.rowCount());
        assertEquals(5, batch.sequence());
      }
      assertEquals(Set.of(slices.get(5).path()), opened);
      assertTrue(splits.get(5).memoryInBytes() > 0);
      splits.forEach(Split::close);
    }
  }

  @Test
  void damagedFileFailsItsSplit() throws IOException {
    damage();
    try (SplitSource source = source(false)) {
      for (int i = 0; i < DAMAGED; i++) {
        source.next().close();
      }
      try (Split split = source.next()) {
        ScanException e = assertThrows(ScanException.class, split::next);
        assertEquals(slices.get(DAMAGED).path(), e.file());
      }
    }
  }

  @Test
  void skipsDamagedFilesIfRequested() throws IOException {
    damage();
    assertEquals((FILES - 1) * ROWS, new ScanRun(context).rows(spec(true), slices).size());
    try (SplitSource source = source(true)) {
      for (int i = 0; i < DAMAGED; i++) {
        source.next().close();
      }
      try (Split split = source.next()) {
        assertNull(split.next());
      }
    }
  }

  @Test
  void typeMismatchesWithoutRowsAreNoErrors() throws IOException {
    Path empty = folder.resolve("empty.parquet");
    ParquetMrFiles.write(empty, SCHEMA, List.of(), WriterOptions.PLAIN, Map.of());
    Field text = new Field("value", PrimitiveType.STRING, true);
    ParquetScanSpec spec =
        new ParquetScanSpec(
            List.of(ScanColumn.ofFile(text)), null, TestScanErrors.options(false, false));
    ScanRun run = new ScanRun(context);
    assertEquals(List.of(), run.rows(spec, List.of(ScanRun.whole(empty))));
    FileSlice full = slices.get(0);
    FileSlice withoutRows = new FileSlice(full.path(), full.lengthInBytes() - 1, 1, List.of());
    assertEquals(List.of(), run.rows(spec, List.of(withoutRows)));
    assertThrows(ColumnTypeMismatchException.class, () -> run.rows(spec, List.of(full)));
    Field list = new Field("value", new ListType(new StructType(List.of(text)), true), true);
    ParquetScanSpec nested =
        new ParquetScanSpec(List.of(ScanColumn.ofFile(list)), null, spec.options());
    List<FileSlice> empties = List.of(ScanRun.whole(empty));
    assertThrows(ColumnTypeMismatchException.class, () -> run.rows(nested, empties));
  }

  @Test
  void sourceOpensFilesWhenThereAreFew() {
    slices.subList(3, FILES).clear();
    try (SplitSource source = source(false);
        Split split = source.next()) {
      assertEquals(Set.of(slices.get(0).path()), opened);
      assertEquals(0, split.memoryInBytes() / SmallFilesSplit.MAX_BYTES);
    }
  }
}
