package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.io.LocalFileReader;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.testing.LimitedAllocator;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests how much a scan decodes at once, for rows of any size in any number of pages. */
class TestWindowSize {
  private static final int BATCH_ROWS = ParquetScanOptions.DEFAULT_BATCH_ROWS;
  private static final long MEGABYTE = 1 << 20;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  @Test
  void limitsWindowsByBytes() {
    assertEquals(
        448, WindowSize.rows(1e9, 1_000_000_000 / 65_536, WindowLimits.ofHost(BATCH_ROWS)));
    assertEquals(64, WindowSize.rows(1e18, 1, WindowLimits.ofHost(BATCH_ROWS)));
    assertEquals(64, WindowSize.rows(1e18, 0, WindowLimits.ofHost(BATCH_ROWS)));
    assertEquals(192, WindowSize.rows(1000, 1000, WindowLimits.ofHost(192)));
    assertEquals(65_472, WindowSize.rows(0, 1_000_000, WindowLimits.ofHost(BATCH_ROWS)));
    assertEquals(
        128, WindowSize.rows(32.0 * MEGABYTE / 128 * 1000, 1000, WindowLimits.ofHost(BATCH_ROWS)));
    assertEquals(
        64, WindowSize.rows(32.0 * MEGABYTE / 127 * 1000, 1000, WindowLimits.ofHost(BATCH_ROWS)));
  }

  @Test
  void countsLeaves() {
    StructType pair =
        new StructType(
            List.of(
                new Field("a", PrimitiveType.INT32, true),
                new Field("b", new ListType(PrimitiveType.STRING, true), true)));
    assertEquals(1, WindowSize.leafCount(PrimitiveType.INT64));
    assertEquals(3, WindowSize.leafCount(new MapType(PrimitiveType.STRING, pair, true)));
    assertEquals(1, WindowSize.leafCount(new StructType(List.of())));
  }

  @Test
  void memoryDoesNotDependOnTheSizeOfValues() throws IOException {
    int rows = 1600;
    int characters = 65_536;
    Path file = folder.resolve("heavy.parquet");
    WriterOptions options =
        WriterOptions.PLAIN
            .withCodec(CompressionCodecName.ZSTD)
            .withPages(WriterVersion.PARQUET_1_0, false, 16);
    MessageType schema =
        MessageTypeParser.parseMessageType("message m { optional binary text (STRING); }");
    Group row = new SimpleGroup(schema);
    row.add("text", "a".repeat(characters));
    ParquetMrFiles.write(file, schema, Collections.nCopies(rows, row), options, Map.of());
    List<Integer> batches = batches(file, new Field("text", PrimitiveType.STRING, true));
    assertEquals(rows, batches.stream().mapToInt(Integer::intValue).sum());
    int most = (int) (WindowLimits.HOST_BYTES / characters);
    assertTrue(Collections.max(batches) <= most, batches + " rows");
  }

  @Test
  void readsMorePagesThanALaunchTakes() throws IOException {
    int rows = 70_000;
    Path file = folder.resolve("pages.parquet");
    MessageType schema = MessageTypeParser.parseMessageType("message m { optional int32 value; }");
    List<Group> groups = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Group row = new SimpleGroup(schema);
      row.add("value", i);
      groups.add(row);
    }
    WriterOptions options = WriterOptions.PLAIN.withPages(WriterVersion.PARQUET_1_0, false, 1);
    ParquetMrFiles.write(file, schema, groups, options, Map.of());
    List<Integer> batches = batches(file, new Field("value", PrimitiveType.INT32, true));
    assertEquals(List.of(WindowSize.MAX_ROWS, rows - WindowSize.MAX_ROWS), batches);
  }

  /** Returns the rows of each batch of a file, read with bounded memory. */
  private List<Integer> batches(Path file, Field field) throws IOException {
    ParquetScanSpec spec =
        new ParquetScanSpec(List.of(ScanColumn.ofFile(field)), null, ParquetScanOptions.DEFAULT);
    List<FileSlice> slices = List.of(ScanRun.whole(file));
    List<Integer> rows = new ArrayList<>();
    try (Backend backend = HostBackend.open()) {
      OperatorContext context =
          new OperatorContext(
              new LimitedAllocator(memory.allocator(), 80 * MEGABYTE), backend, () -> false);
      try (SplitSource source =
          ParquetSplitSource.factory(spec, slices, slice -> LocalFileReader.open(file))
              .create(context, name -> new LongAdder())) {
        for (Split split = source.next(); split != null; split = source.next()) {
          try (Split driven = split) {
            addRows(driven, rows);
          }
        }
      }
    }
    return rows;
  }

  private static void addRows(Split split, List<Integer> rows) {
    for (RecordBatch batch = split.next(); batch != null; batch = split.next()) {
      try (RecordBatch read = batch) {
        rows.add(read.rowCount());
      }
    }
  }
}
