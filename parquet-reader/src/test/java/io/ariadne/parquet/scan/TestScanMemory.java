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
import java.util.List;
import java.util.Map;
import java.util.Random;
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

/** The memory of a split: no more than it says, whatever the size of its row group. */
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

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  /** Notes the most that was allocated at a time. */
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
  void testDoesNotGrowWithTheRowGroup() throws IOException {
    long small = peak(write(ROWS));
    long large = peak(write(4 * ROWS));
    assertTrue(large < small * 1.25, large + " bytes instead of " + small);
  }

  private Path write(int rows) throws IOException {
    Random random = new Random(7);
    Path file = folder.resolve(rows + ".parquet");
    List<Group> groups =
        new AbstractList<>() {
          @Override
          public Group get(int index) {
            SimpleGroup row = new SimpleGroup(SCHEMA);
            row.add("a", random.nextLong());
            row.add("b", (long) random.nextInt(50_000));
            row.add("c", "a string of some length " + random.nextLong());
            return row;
          }

          @Override
          public int size() {
            return rows;
          }
        };
    WriterOptions options =
        WriterOptions.PLAIN
            .withCodec(CompressionCodecName.SNAPPY)
            .withPages(WriterVersion.PARQUET_1_0, true, 20_000);
    ParquetMrFiles.write(file, SCHEMA, groups, options, Map.of());
    return file;
  }

  /** Scans a file of one row group batch by batch; returns the most memory that this took. */
  private long peak(Path file) throws IOException {
    PeakAllocator allocator = new PeakAllocator(memory.allocator());
    ParquetScanSpec spec =
        new ParquetScanSpec(
            FIELDS.stream().map(ScanColumn::ofFile).toList(), null, ParquetScanOptions.DEFAULT);
    long largestBatch = 0;
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
    assertTrue(stated < Files.size(file) * 8, "the statement is of no use: " + stated);
    return allocator.peak;
  }
}
