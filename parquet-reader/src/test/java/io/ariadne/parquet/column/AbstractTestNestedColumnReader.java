package io.ariadne.parquet.column;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.parquet.codec.Decompressors;
import io.ariadne.parquet.metadata.ColumnSelection;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.FooterReader;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.page.PageIo;
import io.ariadne.parquet.page.ReadStatistics;
import io.ariadne.parquet.schema.Calendars;
import io.ariadne.parquet.schema.ColumnResolver;
import io.ariadne.parquet.schema.ReadRules;
import io.ariadne.parquet.schema.RebaseMode;
import io.ariadne.parquet.schema.ResolvedColumn;
import io.ariadne.parquet.testing.MemoryFile;
import io.ariadne.parquet.testing.NestedRows;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.RandomGroups;
import io.ariadne.parquet.testing.TestSchemas;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Compares nested columns of files that parquet-mr wrote with the rows it was given. */
abstract class AbstractTestNestedColumnReader {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @TempDir Path folder;

  private final KernelTestTarget target;
  private final int cases;
  private final int maxRows;
  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private Backend backend;
  private BufferAllocator allocator;

  AbstractTestNestedColumnReader(KernelTestTarget target, int cases, int maxRows) {
    this.target = target;
    this.cases = cases;
    this.maxRows = maxRows;
  }

  @BeforeEach
  void open() {
    System.out.println("replay with -Dariadne.test.seed=" + seed);
    backend = target.open(seed);
    allocator = target.allocator(memory.allocator());
  }

  @AfterEach
  void close() {
    if (backend != null) { // the target may have skipped the test
      backend.close();
    }
  }

  @Test
  void decodesListsAndMaps() throws IOException {
    for (int i = 0; i < cases; i++) {
      check(TestSchemas.NESTED, NestedRows.NESTED_FIELDS);
    }
  }

  @Test
  void decodesStructsAndMissingMembers() throws IOException {
    for (int i = 0; i < cases; i++) {
      check(NestedRows.STRUCTS, NestedRows.STRUCTS_FIELDS);
    }
  }

  @Test
  void survivesDamagedPages() throws IOException {
    List<Group> rows = rows(TestSchemas.NESTED, 40);
    byte[] file = write(TestSchemas.NESTED, rows, options());
    for (int i = 0; i < cases * 10; i++) {
      byte[] damaged = file.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        damaged[4 + random.nextInt(damaged.length / 2)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        readAll(damaged, NestedRows.NESTED_FIELDS, null);
      } catch (EngineException e) {
        boolean isKnown = e.code() == ErrorCode.CORRUPT_DATA || e.code() == ErrorCode.UNSUPPORTED;
        assertEquals(true, isKnown, () -> "seed " + seed + " " + e);
      }
    }
  }

  private void check(MessageType schema, List<Field> fields) throws IOException {
    List<Group> rows = rows(schema, random.nextInt(maxRows));
    readAll(write(schema, rows, options()), fields, rows);
  }

  private List<Group> rows(MessageType schema, int count) {
    double nulls = new double[] {0, 0.1, 0.5, 1}[random.nextInt(4)];
    return new RandomGroups(random, 30, nulls).rows(schema, count);
  }

  private WriterOptions options() {
    WriterVersion version =
        random.nextBoolean() ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0;
    return WriterOptions.PLAIN
        .withCodec(
            random.nextBoolean() ? CompressionCodecName.UNCOMPRESSED : CompressionCodecName.SNAPPY)
        .withPages(version, random.nextBoolean(), 1 + random.nextInt(150))
        .withRowGroupBytes(random.nextBoolean() ? 20_000 : 1 << 30);
  }

  private byte[] write(MessageType schema, List<Group> rows, WriterOptions options)
      throws IOException {
    Path path = folder.resolve("nested.parquet");
    ParquetMrFiles.write(path, schema, rows, options, Map.of());
    return Files.readAllBytes(path);
  }

  /** Reads every column of every row group; compares it unless there is nothing to compare with. */
  private void readAll(byte[] content, List<Field> fields, List<Group> rows) throws IOException {
    MemoryFile file = new MemoryFile("nested.parquet", content);
    FileMetadata metadata =
        FooterReader.read(file, "nested.parquet", ColumnSelection.ALL, memory.allocator());
    Calendars calendars = Calendars.of(metadata, RebaseMode.CORRECTED, RebaseMode.CORRECTED, null);
    ColumnResolver resolver = new ColumnResolver(metadata, ReadRules.spark4(true), calendars);
    ReadStatistics statistics = new ReadStatistics();
    try (Decompressors codecs = new Decompressors();
        DecodeContext context = new DecodeContext(backend, allocator, statistics)) {
      PageIo io = new PageIo(allocator, codecs, statistics, PageIo.DEFAULT_WINDOW_BYTES, false);
      for (Field field : fields) {
        ResolvedColumn column = resolver.byName(field);
        long first = 0;
        for (RowGroup group : metadata.rowGroups()) {
          TestingLeaves leaves = new TestingLeaves(file, metadata, group, io);
          try (ColumnDecoder decoder = new NestedColumnDecoder(column, leaves, context)) {
            readGroup(decoder, field, group.rowCount(), rows, first);
          }
          first += group.rowCount();
        }
      }
    }
  }

  private void readGroup(
      ColumnDecoder decoder, Field field, long rowCount, List<Group> rows, long first) {
    long row = 0;
    while (row < rowCount) {
      row += random.nextInt(4) == 0 ? random.nextInt((int) Math.min(50, rowCount - row)) : 0;
      int count = (int) Math.min(rowCount - row, 1 + random.nextInt(200));
      try (ColumnVector column = decoder.decode(row, count, null)) {
        assertEquals(count, column.rowCount());
        assertEquals(field.type(), column.type());
        ColumnReader reader = new ColumnReader(column);
        for (int i = 0; rows != null && i < count; i++) {
          Object expected = NestedRows.value(rows.get((int) (first + row + i)), field.name());
          assertEquals(expected, reader.getValue(i), field.name() + " seed " + seed);
        }
      }
      row += count;
    }
  }
}
