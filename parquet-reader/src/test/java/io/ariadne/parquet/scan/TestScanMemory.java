package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.io.LocalFileReader;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a split takes no more memory than it declares, whatever the size of its row group. */
class TestScanMemory {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { required int64 a; required int64 b; required binary c (STRING); }");
  private static final List<Field> FIELDS =
      List.of(
          new Field("a", PrimitiveType.INT64, false),
          new Field("b", PrimitiveType.INT64, false),
          new Field("c", PrimitiveType.STRING, false));
  private static final int ROWS = 400_000;

  /** Most memory that a split may declare: that of many columns in large pages. */
  private static final long MOST_STATED = 240L << 20;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;
  private long largestBatch;

  /** Records the peak of allocated memory. */
  private static final class PeakAllocator implements BufferAllocator {
    private final BufferAllocator delegate;
    private long peak;

    PeakAllocator(BufferAllocator delegate) {
      this.delegate = delegate;
    }

    @Override
    public MemoryBuffer allocate(long lengthInBytes) {
      MemoryBuffer buffer = delegate.allocate(lengthInBytes);
      peak = Math.max(peak, delegate.allocatedBytes());
      return buffer;
    }

    @Override
    public long allocatedBytes() {
      return delegate.allocatedBytes();
    }

    @Override
    public MemoryTier tier() {
      return delegate.tier();
    }
  }

  @Test
  void memoryDoesNotGrowWithTheRowGroup() throws IOException {
    long small = peak(write(ROWS), FIELDS);
    long large = peak(write(4 * ROWS), FIELDS);
    assertTrue(large < small * 1.25, large + " bytes instead of " + small);
  }

  @Test
  void declaredMemoryIncludesBufferedValues() throws IOException {
    int columns = 24;
    List<Field> fields = new ArrayList<>();
    StringBuilder schema = new StringBuilder("message m {");
    for (int i = 0; i < columns; i++) {
      schema.append(" required int64 n").append(i).append(';');
      fields.add(new Field("n" + i, PrimitiveType.INT64, false));
    }
    MessageType type = MessageTypeParser.parseMessageType(schema + " }");
    int rows = 300_000;
    Path file = folder.resolve("kept.parquet");
    List<Group> groups =
        rows(
            rows,
            index -> {
              SimpleGroup row = new SimpleGroup(type);
              for (int i = 0; i < columns; i++) {
                row.add(i, (long) index * i);
              }
              return row;
            });
    WriterOptions options =
        WriterOptions.PLAIN.withPages(WriterVersion.PARQUET_2_0, false, rows); // pages of 64 Ki
    ParquetMrFiles.write(file, type, groups, options, Map.of());
    peak(file, fields);
  }

  @Test
  void sharedTextIsBounded() throws IOException {
    MessageType type =
        MessageTypeParser.parseMessageType("message m { required binary c (STRING); }");
    String prefix = "a long text that all values begin with ".repeat(50);
    Path file = folder.resolve("shared.parquet");
    List<Group> groups =
        rows(
            150_000,
            index -> {
              SimpleGroup row = new SimpleGroup(type);
              row.add("c", prefix + index);
              return row;
            });
    WriterOptions options = WriterOptions.PLAIN.withPages(WriterVersion.PARQUET_2_0, false, 20_000);
    ParquetMrFiles.write(file, type, groups, options, Map.of());
    long peak = peak(file, List.of(new Field("c", PrimitiveType.STRING, false)));
    long text = prefix.length() * 150_000L;
    assertTrue(peak < text / 2, peak + " bytes of " + text);
  }

  @Test
  void columnsOfOneValueMakeNoLargeWindows() throws IOException {
    int columns = 100;
    List<Field> fields = new ArrayList<>();
    StringBuilder schema = new StringBuilder("message m {");
    for (int i = 0; i < columns; i++) {
      schema.append(" optional binary d").append(i).append(" (DECIMAL(38,2));");
      fields.add(new Field("d" + i, new DecimalType(38, 2), true));
    }
    MessageType type = MessageTypeParser.parseMessageType(schema + " }");
    Binary value = Binary.fromConstantByteArray(new byte[16]);
    Path file = folder.resolve("constant.parquet");
    List<Group> groups =
        rows(
            70_000,
            index -> {
              SimpleGroup row = new SimpleGroup(type);
              for (int i = 0; i < columns; i++) {
                row.add(i, value);
              }
              return row;
            });
    ParquetMrFiles.write(file, type, groups, WriterOptions.PLAIN, Map.of());
    peak(file, fields);
    assertTrue(largestBatch <= WindowLimits.HOST_BYTES, "a batch of " + largestBatch);
  }

  private static List<Group> rows(int count, IntFunction<Group> row) {
    return new AbstractList<>() {
      @Override
      public Group get(int index) {
        return row.apply(index);
      }

      @Override
      public int size() {
        return count;
      }
    };
  }

  private Path write(int rows) throws IOException {
    Random random = new Random(7);
    Path file = folder.resolve(rows + ".parquet");
    List<Group> groups =
        rows(
            rows,
            index -> {
              SimpleGroup row = new SimpleGroup(SCHEMA);
              row.add("a", random.nextLong());
              row.add("b", (long) random.nextInt(50_000));
              row.add("c", "a string of some length " + random.nextLong());
              return row;
            });
    WriterOptions options =
        WriterOptions.PLAIN
            .withCodec(CompressionCodecName.SNAPPY)
            .withPages(WriterVersion.PARQUET_1_0, true, 20_000);
    ParquetMrFiles.write(file, SCHEMA, groups, options, Map.of());
    return file;
  }

  /** Scans a file of one row group batch by batch; returns the peak of its memory. */
  private long peak(Path file, List<Field> fields) throws IOException {
    PeakAllocator allocator = new PeakAllocator(memory.allocator());
    ParquetScanSpec spec =
        new ParquetScanSpec(
            fields.stream().map(ScanColumn::ofFile).toList(),
            null,
            ParquetScanOptions.DEFAULT.withPartBytes(Long.MAX_VALUE));
    largestBatch = 0;
    long stated;
    try (Backend backend = HostBackend.open();
        SplitSource source =
            ParquetSplitSource.factory(
                    spec, List.of(ScanRun.whole(file)), slice -> LocalFileReader.open(file))
                .create(
                    new OperatorContext(allocator, backend, () -> false), name -> new LongAdder());
        Split split = source.next()) {
      stated = split.memoryInBytes();
      for (RecordBatch batch = split.next(); batch != null; batch = split.next()) {
        try (RecordBatch read = batch) {
          largestBatch = Math.max(largestBatch, read.sizeInBytes());
        }
      }
      assertEquals(null, source.next());
    }
    assertTrue(
        allocator.peak <= stated + largestBatch,
        allocator.peak + " bytes, " + stated + " stated and batches of " + largestBatch);
    assertTrue(
        stated < Files.size(file) * 8 || stated < MOST_STATED, "a useless statement: " + stated);
    return allocator.peak;
  }
}
