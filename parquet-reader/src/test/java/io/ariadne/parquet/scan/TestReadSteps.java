package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ForwardingReader;
import io.ariadne.io.LocalFileReader;
import io.ariadne.io.PendingRead;
import io.ariadne.io.ReadAhead;
import io.ariadne.io.ReadStep;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import io.ariadne.preload.PreloadConfig;
import io.ariadne.preload.PreloadExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Counts the requests of scans that leave out a step of reading. */
class TestReadSteps {
  private static final List<String> COLUMNS = List.of("a", "b", "c");
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message steps { required int32 a; required int32 b; required int32 c; }");
  private static final int ROWS = 20_000;
  private static final int TAIL_BYTES = 2_000;
  private static final int MORE_THAN_THE_FILE = 1 << 20;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final AtomicInteger metadataReads = new AtomicInteger();
  private final AtomicInteger openFiles = new AtomicInteger();
  private final AtomicInteger mostOpenFiles = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private int tailBytes = TAIL_BYTES;
  private MemoryPool pool;
  private PreloadExecutor readAhead;
  private Backend backend;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    pool = MemoryPools.host("read ahead", 64 << 20, true);
    readAhead = new PreloadExecutor("steps", PreloadConfig.of(pool.limitInBytes()), pool);
    backend = HostBackend.open();
    file = folder.resolve("steps.parquet");
    List<Group> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      Group row = new SimpleGroup(SCHEMA);
      COLUMNS.forEach(column -> row.add(column, rows.size()));
      rows.add(row);
    }
    ParquetMrFiles.write(file, SCHEMA, rows, WriterOptions.PLAIN, Map.of());
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_500_000_000_000L));
  }

  @AfterEach
  void close() {
    System.clearProperty(ReadStep.PROPERTY);
    readAhead.close();
    assertTrue(readAhead.isTerminated(), readAhead::describe);
    pool.close();
    backend.close();
  }

  @Test
  void aFooterIsReadOncePerProcess() throws IOException {
    scan();
    assertTrue(metadataReads.get() > 0);
    assertEquals(0, metadataReadsOfAScan());
    System.setProperty(ReadStep.PROPERTY, ReadStep.FOOTER_CACHE.text());
    assertTrue(metadataReadsOfAScan() > 0);
  }

  private int metadataReadsOfAScan() throws IOException {
    metadataReads.set(0);
    scan();
    return metadataReads.get();
  }

  @Test
  void aSmallFileIsReadOnceAsAWhole() throws IOException {
    tailBytes = MORE_THAN_THE_FILE;
    scan();
    assertEquals(1, metadataReads.get());
    assertEquals(0, requests.get());
  }

  @Test
  void columnsShareARequest() throws IOException {
    scan();
    assertEquals(1, requests.get());
    System.setProperty(ReadStep.PROPERTY, ReadStep.COALESCING.text());
    requests.set(0);
    scan();
    assertEquals(COLUMNS.size(), requests.get());
  }

  /** Files that are in memory as a whole count against the limit of reading ahead. */
  @Test
  void filesAreOpenedAheadWithinTheLimit() throws IOException {
    tailBytes = MORE_THAN_THE_FILE;
    System.setProperty(ReadStep.PROPERTY, ReadStep.FOOTER_CACHE.text());
    List<FileSlice> slices = Collections.nCopies(12, ScanRun.whole(file));
    scan(slices);
    assertTrue(mostOpenFiles.get() > 4, mostOpenFiles + " files were open");
    readAhead.close();
    long limit = 3 * Files.size(file) + 1000;
    readAhead = new PreloadExecutor("steps", new PreloadConfig(limit, 16, 20_000), pool);
    mostOpenFiles.set(0);
    scan(slices);
    assertEquals(3, mostOpenFiles.get());
  }

  private void scan() throws IOException {
    scan(List.of(ScanRun.whole(file)));
  }

  private void scan(List<FileSlice> slices) throws IOException {
    List<ScanColumn> columns =
        COLUMNS.stream()
            .map(name -> ScanColumn.ofFile(new Field(name, PrimitiveType.INT32, true)))
            .toList();
    ParquetScanSpec spec = new ParquetScanSpec(columns, null, ParquetScanOptions.DEFAULT);
    OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
    ScanRun run = new ScanRun(context, new CountedStorage());
    List<List<Object>> rows = run.rows(spec, slices);
    assertEquals(ROWS * slices.size(), rows.size());
    assertEquals(List.of(ROWS - 1, ROWS - 1, ROWS - 1), rows.get(ROWS - 1));
  }

  private final class CountedStorage implements ScanStorage {
    @Override
    public FileOpener opener() {
      return new FileOpener() {
        @Override
        public ByteRangeReader open(FileSlice slice) throws IOException {
          return new CountedFile(LocalFileReader.open(Path.of(slice.path())));
        }

        @Override
        public boolean isSlow(FileSlice slice) {
          return true;
        }

        @Override
        public long tailBytes(FileSlice slice) {
          return tailBytes;
        }
      };
    }

    @Override
    public ReadAhead readAhead() {
      return readAhead;
    }

    @Override
    public void checkUse(ScanRun run) {}

    @Override
    public void close() {}
  }

  private final class CountedFile extends ForwardingReader {
    CountedFile(ByteRangeReader file) {
      super(file);
      mostOpenFiles.accumulateAndGet(openFiles.incrementAndGet(), Math::max);
    }

    @Override
    public void read(long position, MemoryBuffer target, long targetOffset, long length)
        throws IOException {
      metadataReads.incrementAndGet();
      delegate().read(position, target, targetOffset, length);
    }

    @Override
    public boolean waits(long position, long length) {
      return true;
    }

    @Override
    public PendingRead start(List<ByteRange> ranges, Executor threads) {
      requests.incrementAndGet();
      return delegate().start(ranges, threads);
    }

    @Override
    public void close() throws IOException {
      openFiles.decrementAndGet();
      delegate().close();
    }
  }
}
