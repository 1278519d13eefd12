package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.kernel.testing.DeviceTarget;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.RefusingAllocator;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a scan copies to a device, and how it continues without the device's memory. */
class TestDeviceScan {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { required int32 key; optional int64 price; optional int32 code;"
              + " optional binary word (STRING); }");
  private static final List<Field> FIELDS =
      List.of(
          new Field("key", PrimitiveType.INT32, true),
          new Field("price", PrimitiveType.INT64, true),
          new Field("code", PrimitiveType.INT32, true),
          new Field("word", PrimitiveType.STRING, true));

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private List<Group> rows(int count, double nulls) {
    List<Group> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SimpleGroup row = new SimpleGroup(SCHEMA);
      row.add("key", i);
      if (random.nextDouble() >= nulls) {
        row.add("price", 9_000_000L + random.nextInt(1_000_000));
      }
      if (random.nextDouble() >= nulls) {
        row.add("code", random.nextInt(40));
      }
      if (random.nextDouble() >= nulls) {
        row.add("word", "word " + random.nextInt(20));
      }
      rows.add(row);
    }
    return rows;
  }

  private Path file(WriterVersion version, List<Group> rows) throws IOException {
    Path file = folder.resolve("rows.parquet");
    WriterOptions options =
        WriterOptions.PLAIN.withCodec(CompressionCodecName.SNAPPY).withPages(version, true, 20_000);
    ParquetMrFiles.write(file, SCHEMA, rows, options, Map.of());
    return file;
  }

  private static List<List<Object>> expected(List<Group> rows, int limit) {
    List<List<Object>> expected = new ArrayList<>();
    for (Group row : rows) {
      if (row.getInteger("key", 0) < limit) {
        expected.add(FIELDS.stream().map(field -> ExpectedColumns.value(row, field)).toList());
      }
    }
    return expected;
  }

  private static ParquetScanSpec spec(Integer limit) {
    Expression key = new ColumnReference(0, PrimitiveType.INT32, true);
    Expression predicate =
        limit == null
            ? null
            : new Call(
                Function.LESS,
                List.of(key, new Literal(limit, PrimitiveType.INT32)),
                PrimitiveType.BOOLEAN,
                true,
                EvaluationMode.LEGACY,
                -1);
    return new ParquetScanSpec(
        FIELDS.stream().map(ScanColumn::ofFile).toList(), predicate, ParquetScanOptions.DEFAULT);
  }

  /** Compressed pages are copied as they are, so little more than the file goes to the device. */
  @ParameterizedTest
  @EnumSource(WriterVersion.class)
  void copiesLittleMoreThanTheCompressedPages(WriterVersion version) throws IOException {
    for (double nulls : new double[] {0, 0.2}) {
      List<Group> rows = rows(60_000, nulls);
      Path file = file(version, rows);
      long compressed =
          ParquetMrFiles.footer(file).getBlocks().stream()
              .flatMap(block -> block.getColumns().stream())
              .mapToLong(ColumnChunkMetaData::getTotalSize)
              .sum();
      DeviceTarget target = DeviceTarget.fakeCuda();
      try (Backend backend = target.open(seed)) {
        ScanRun run = new ScanRun(target.context(backend, memory.allocator()));
        long before = FakeDriver.usage().pinnedBytes();
        int columns = run.deviceColumns(spec(null), List.of(ScanRun.whole(file)));
        long copied = FakeDriver.usage().pinnedBytes() - before;
        // Version 2 has delta encodings, which the host decodes.
        assertEquals(version == WriterVersion.PARQUET_1_0 ? 4 : 2, columns);
        long validity = nulls == 0 ? 0 : 3 * rows.size() / Byte.SIZE;
        assertTrue(
            copied <= 1.1 * compressed + validity,
            copied + " bytes of " + compressed + ", seed " + seed);
      }
    }
  }

  /** The host decodes and filters what the device has no memory for. */
  @Test
  void continuesOnTheHostWithoutMemoryOfTheDevice() throws IOException {
    checkRefusals(DeviceTarget.simulated(TestSimulatedParquetScan.ANY_ROWS), 3000, 4);
    checkRefusals(DeviceTarget.fakeCuda(), 20_000, 70); // which stops the host at device memory
  }

  private void checkRefusals(DeviceTarget target, int rowCount, int step) throws IOException {
    List<Group> rows = rows(rowCount, 0.1);
    Path file = file(WriterVersion.PARQUET_1_0, rows);
    try (Backend backend = target.open(seed)) {
      OperatorContext whole = target.context(backend, memory.allocator());
      RefusingAllocator refusing = new RefusingAllocator(whole.kernelAllocator());
      OperatorContext context =
          new OperatorContext(whole.allocator(), refusing, backend, () -> false, ErrorReplay.PLAIN);
      for (Integer limit : new Integer[] {null, rowCount / 2, 30, Integer.MAX_VALUE}) {
        List<List<Object>> expected = expected(rows, limit == null ? Integer.MAX_VALUE : limit);
        boolean isRefused = true;
        for (int granted = 0; isRefused; granted += 1 + random.nextInt(step)) {
          long refused = random.nextBoolean() ? 1 : Long.MAX_VALUE;
          refusing.refuseAfter(granted, refused);
          ScanRun run = new ScanRun(context);
          String what = "limit " + limit + ", " + granted + " granted, seed " + seed;
          assertEquals(expected, run.rows(spec(limit), List.of(ScanRun.whole(file))), what);
          isRefused = refusing.grantAll() < refused;
        }
      }
    }
  }

  /** Few rows of many files come from the device and become one batch. */
  @Test
  void combinesSmallFilesOfADevice() throws IOException {
    List<Group> rows = rows(1000, 0.1);
    Path file = file(WriterVersion.PARQUET_1_0, rows);
    List<FileSlice> slices = Collections.nCopies(32, ScanRun.whole(file));
    DeviceTarget target = DeviceTarget.simulated(TestSimulatedParquetScan.ANY_ROWS);
    try (Backend backend = target.open(seed)) {
      ScanRun run = new ScanRun(target.context(backend, memory.allocator()));
      List<List<Object>> expected = new ArrayList<>();
      slices.forEach(slice -> expected.addAll(expected(rows, 300)));
      assertEquals(expected, run.combinedRows(spec(300), slices), "seed " + seed);
      assertTrue(run.batches() < slices.size(), run.batches() + " batches");
    }
  }

  /**
   * A damaged page fails its own file, whatever the device has read behind it, and no other file
   * that the same worker reads next.
   */
  @Test
  void damagedPagesFailTheirFileOnly() throws IOException {
    List<Group> rows = rows(20_000, 0.05);
    Path file = file(WriterVersion.PARQUET_1_0, rows);
    byte[] bytes = Files.readAllBytes(file);
    Path damaged = folder.resolve("damaged.parquet");
    DeviceTarget target = DeviceTarget.fakeCuda();
    int failures = 0;
    try (Backend backend = target.open(seed)) {
      ScanRun run = new ScanRun(target.context(backend, memory.allocator()));
      for (int i = 0; i < 14; i++) {
        byte[] copy = bytes.clone();
        copy[4 + random.nextInt(bytes.length * 4 / 5)] ^= (byte) (1 << random.nextInt(8));
        Files.write(damaged, copy);
        List<FileSlice> both = List.of(ScanRun.whole(damaged), ScanRun.whole(file));
        ParquetScanSpec spec = spec(random.nextBoolean() ? null : 9000);
        try {
          run.rows(ignoringDamage(spec), both);
          run.rows(spec, List.of(ScanRun.whole(damaged)));
        } catch (ScanException e) {
          assertEquals(damaged.toString(), e.file(), "seed " + seed);
          failures++;
        }
        assertTrue(backend.lost().isEmpty(), () -> backend.lost() + ", seed " + seed);
      }
    }
    assertTrue(failures > 2, failures + " of 14 damaged files failed, seed " + seed);
  }

  private static ParquetScanSpec ignoringDamage(ParquetScanSpec spec) {
    return new ParquetScanSpec(
        spec.columns(), spec.predicate(), TestScanErrors.options(true, false));
  }

  @Test
  void failsWithTheDevice() throws IOException {
    Path file = file(WriterVersion.PARQUET_2_0, rows(3000, 0.1));
    DeviceTarget target = DeviceTarget.simulated(TestSimulatedParquetScan.ANY_ROWS);
    for (int launches = 0; launches < 40; launches += 3) {
      try (SimulatedBackend backend = (SimulatedBackend) target.open(seed)) {
        ScanRun run = new ScanRun(target.context(backend, memory.allocator()));
        backend.loseAfter(launches);
        EngineException failure =
            assertThrows(
                EngineException.class, () -> run.rows(spec(2000), List.of(ScanRun.whole(file))));
        assertEquals(ErrorCode.DEVICE_LOST, failure.code(), failure.toString());
      }
    }
  }
}
