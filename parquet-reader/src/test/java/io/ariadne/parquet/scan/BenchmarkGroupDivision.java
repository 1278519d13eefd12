package io.ariadne.parquet.scan;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.io.LocalFileReader;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * Measures reading a file of one large row group with one thread per processor, with the row group
 * whole and divided: milliseconds from opening the file to the last batch.
 *
 * <p>Arguments: optionally the number of rows and of rounds.
 */
public final class BenchmarkGroupDivision {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { required int64 id; required int64 number; optional binary word (STRING);"
              + " optional binary text (STRING); }");
  private static final List<ScanColumn> COLUMNS =
      List.of(
          ScanColumn.ofFile(new Field("id", PrimitiveType.INT64, false)),
          ScanColumn.ofFile(new Field("number", PrimitiveType.INT64, false)),
          ScanColumn.ofFile(new Field("word", PrimitiveType.STRING, true)),
          ScanColumn.ofFile(new Field("text", PrimitiveType.STRING, true)));
  private static final long POOL_BYTES = 2L << 30;
  private static final int PAGE_ROWS = 20_000;

  private final Path file;
  private final int threads = Runtime.getRuntime().availableProcessors();

  private BenchmarkGroupDivision(Path file) {
    this.file = file;
  }

  /** Runs. */
  public static void main(String[] arguments) throws Exception {
    int rows = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3_000_000;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 9;
    Path file = Files.createTempFile("large", ".parquet");
    try {
      write(file, rows);
      BenchmarkGroupDivision benchmark = new BenchmarkGroupDivision(file);
      System.out.printf(
          Locale.ROOT,
          "%d row group, %.1f MB, %d threads%n",
          ParquetMrFiles.footer(file).getBlocks().size(),
          Files.size(file) / 1e6,
          benchmark.threads);
      for (int repeat = 0; repeat < 2; repeat++) {
        benchmark.print("whole", Long.MAX_VALUE, rounds);
        benchmark.print("divided", ParquetScanOptions.DEFAULT_PART_BYTES, rounds);
      }
    } finally {
      Files.delete(file);
    }
  }

  private static void write(Path file, int rows) throws IOException {
    Random random = new Random(5);
    List<Group> groups =
        new AbstractList<>() {
          @Override
          public Group get(int index) {
            SimpleGroup group = new SimpleGroup(SCHEMA);
            group.add("id", (long) index);
            group.add("number", random.nextLong() >>> 20);
            group.add("word", "word " + random.nextInt(200));
            group.add("text", "the text of row " + random.nextInt(1 << 28));
            return group;
          }

          @Override
          public int size() {
            return rows;
          }
        };
    WriterOptions options =
        WriterOptions.PLAIN
            .withCodec(CompressionCodecName.SNAPPY)
            .withPages(WriterVersion.PARQUET_1_0, true, PAGE_ROWS)
            .withRowGroupBytes(1L << 30);
    ParquetMrFiles.write(file, SCHEMA, groups, options, Map.of());
  }

  private void print(String name, long partBytes, int rounds) throws Exception {
    double[] millis = new double[rounds];
    long rows = 0;
    for (int i = -rounds; i < rounds; i++) { // the first half warms up
      long begin = System.nanoTime();
      rows = read(partBytes);
      if (i >= 0) {
        millis[i] = (System.nanoTime() - begin) / 1e6;
      }
    }
    Arrays.sort(millis);
    System.out.printf(
        Locale.ROOT,
        "%s: median %.1f ms (%.1f to %.1f), %d rows%n",
        name,
        millis[rounds / 2],
        millis[0],
        millis[rounds - 1],
        rows);
  }

  /** Reads the file by all threads; returns its rows. */
  private long read(long partBytes) throws Exception {
    ParquetScanSpec spec =
        new ParquetScanSpec(COLUMNS, null, ParquetScanOptions.DEFAULT.withPartBytes(partBytes));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (Backend backend = HostBackend.open();
        MemoryPool memory = MemoryPools.host("benchmark", POOL_BYTES);
        SplitSource source =
            ParquetSplitSource.factory(
                    spec, List.of(ScanRun.whole(file)), slice -> LocalFileReader.open(file))
                .create(
                    new OperatorContext(memory, backend, () -> false).withThreadCount(threads),
                    name -> new LongAdder())) {
      Callable<Long> driver = () -> drive(source);
      long rows = 0;
      for (Future<Long> part : pool.invokeAll(Collections.nCopies(threads, driver))) {
        rows += part.get();
      }
      return rows;
    } finally {
      pool.shutdown();
    }
  }

  private static long drive(SplitSource source) {
    long rows = 0;
    while (true) {
      Split next;
      synchronized (source) {
        next = source.next();
      }
      if (next == null) {
        return rows;
      }
      try (Split split = next) {
        for (RecordBatch batch = split.next(); batch != null; batch = split.next()) {
          rows += batch.rowCount();
          batch.close();
        }
      }
    }
  }
}
