package io.ariadne.parquet.scan;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.LocalFileReader;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Measures decoding TPC-H's lineitem on one thread: nanoseconds of CPU per value and phase, column
 * by column, all columns at once, the columns of query 6 under its predicate, and all columns that
 * are not text under a predicate that a hundredth of the rows pass; bytes decoded per second,
 * compared with the thread's memory bandwidth; and the time for the footer of a file.
 *
 * <p>Arguments: the folder of lineitem's Parquet files, then optionally the number of rounds.
 */
public final class BenchmarkParquetScan {
  private static final long POOL_BYTES = 2L << 30;
  private static final DataType MONEY = new DecimalType(12, 2);
  private static final List<Field> LINEITEM =
      List.of(
          field("l_orderkey", PrimitiveType.INT64),
          field("l_partkey", PrimitiveType.INT64),
          field("l_suppkey", PrimitiveType.INT64),
          field("l_linenumber", PrimitiveType.INT32),
          field("l_quantity", MONEY),
          field("l_extendedprice", MONEY),
          field("l_discount", MONEY),
          field("l_tax", MONEY),
          field("l_returnflag", PrimitiveType.STRING),
          field("l_linestatus", PrimitiveType.STRING),
          field("l_shipdate", PrimitiveType.DATE32),
          field("l_commitdate", PrimitiveType.DATE32),
          field("l_receiptdate", PrimitiveType.DATE32),
          field("l_shipinstruct", PrimitiveType.STRING),
          field("l_shipmode", PrimitiveType.STRING),
          field("l_comment", PrimitiveType.STRING));
  private static final int OPENING_ROUNDS = 41;
  private static final int LINE_NUMBER = 3;
  private static final int QUANTITY = 4;
  private static final int PRICE = 5;
  private static final int DISCOUNT = 6;
  private static final int SHIP_DATE = 10;

  private final List<FileSlice> slices;
  private final int rounds;

  private BenchmarkParquetScan(List<FileSlice> slices, int rounds) {
    this.slices = slices;
    this.rounds = rounds;
  }

  private static Field field(String name, DataType type) {
    return new Field(name, type, true);
  }

  /** Runs the benchmark. */
  public static void main(String[] args) throws IOException {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    BenchmarkParquetScan benchmark = new BenchmarkParquetScan(slices(Path.of(args[0])), rounds);
    try (Backend backend = HostBackend.open()) {
      benchmark.printHeader(backend);
      for (Field column : LINEITEM) {
        benchmark.measure(backend, column.name(), List.of(column), null);
      }
      benchmark.measure(backend, "all 16", LINEITEM, null);
      List<Field> query6 =
          List.of(
              LINEITEM.get(QUANTITY),
              LINEITEM.get(PRICE),
              LINEITEM.get(DISCOUNT),
              LINEITEM.get(SHIP_DATE));
      benchmark.measure(backend, "query 6, all rows", query6, null);
      benchmark.measure(backend, "query 6", query6, query6());
      List<Field> numbers = LINEITEM.stream().filter(f -> !isText(f)).toList();
      benchmark.measure(backend, "numbers, all rows", numbers, null);
      benchmark.measure(backend, "numbers, 1 %", numbers, days(numbers));
    }
  }

  private void printHeader(Backend backend) {
    MemoryBandwidth memory = MemoryBandwidth.measure();
    System.out.printf(
        Locale.ROOT,
        "%s, %d files, %d rounds, medians; this thread reads %.1f GB/s, copies %.1f GB/s%n",
        backend.isa(),
        slices.size(),
        rounds,
        memory.readGigabytes(),
        memory.copyGigabytes());
    System.out.printf(
        Locale.ROOT,
        "opening a file: %.0f us, with its footer cached: %.0f us%n",
        openingMicros(backend, true),
        openingMicros(backend, false));
    System.out.printf(
        Locale.ROOT,
        "%-18s %9s %9s %9s %9s %9s %9s %9s %9s %9s%n",
        "columns",
        "ms CPU",
        "ns/value",
        "read",
        "unpack",
        "decode",
        "filter",
        "MB file",
        "MB out",
        "GB/s out");
  }

  /**
   * Returns the median of the time per file until its columns can be read.
   *
   * @param changed whether the modification times are unknown, so that no footer is cached
   */
  private double openingMicros(Backend backend, boolean changed) {
    double[] micros = new double[OPENING_ROUNDS];
    for (int i = 0; i < OPENING_ROUNDS; i++) {
      FileOpener opener = changed ? BenchmarkParquetScan::openUndated : BenchmarkParquetScan::open;
      Pass pass = pass(backend, slices, opener, List.of(LINEITEM.get(LINE_NUMBER)), null);
      micros[i] = pass.counters().get("footerNanos") / 1e3 / slices.size();
    }
    Arrays.sort(micros);
    return micros[OPENING_ROUNDS / 2];
  }

  private static List<FileSlice> slices(Path folder) throws IOException {
    List<FileSlice> slices = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".parquet")).sorted().toList()) {
        slices.add(ScanRun.whole(file));
      }
    }
    return slices;
  }

  private static ByteRangeReader open(FileSlice slice) throws IOException {
    return LocalFileReader.open(Path.of(slice.path()));
  }

  private static ByteRangeReader openUndated(FileSlice slice) throws IOException {
    ByteRangeReader file = open(slice);
    return new ByteRangeReader() {
      @Override
      public long lengthInBytes() {
        return file.lengthInBytes();
      }

      @Override
      public void read(long position, MemoryBuffer target, long targetOffset, long length)
          throws IOException {
        file.read(position, target, targetOffset, length);
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  private static Expression query6() {
    Expression quantity = new ColumnReference(0, MONEY, true);
    Expression discount = new ColumnReference(2, MONEY, true);
    Expression shipDate = new ColumnReference(3, PrimitiveType.DATE32, true);
    return and(
        and(
            compare(Function.GREATER_OR_EQUAL, shipDate, date("1994-01-01")),
            compare(Function.LESS, shipDate, date("1995-01-01"))),
        and(
            and(
                compare(Function.GREATER_OR_EQUAL, discount, money(5)),
                compare(Function.LESS_OR_EQUAL, discount, money(7))),
            compare(Function.LESS, quantity, money(2400))));
  }

  private static boolean isText(Field field) {
    return field.type() == PrimitiveType.STRING;
  }

  /** 25 of 2526 days, spread over all pages. */
  private static Expression days(List<Field> columns) {
    Expression shipDate =
        new ColumnReference(columns.indexOf(LINEITEM.get(SHIP_DATE)), PrimitiveType.DATE32, true);
    return and(
        compare(Function.GREATER_OR_EQUAL, shipDate, date("1995-03-01")),
        compare(Function.LESS_OR_EQUAL, shipDate, date("1995-03-25")));
  }

  private static Literal date(String day) {
    return literal((int) LocalDate.parse(day).toEpochDay(), PrimitiveType.DATE32);
  }

  private static Literal money(long cents) {
    return literal(java.math.BigInteger.valueOf(cents), MONEY);
  }

  private static Literal literal(Serializable value, DataType type) {
    return new Literal(value, type);
  }

  private static Expression and(Expression a, Expression b) {
    return compare(Function.AND, a, b);
  }

  private static Expression compare(Function function, Expression a, Expression b) {
    return new Call(
        function, List.of(a, b), PrimitiveType.BOOLEAN, true, EvaluationMode.LEGACY, -1);
  }

  /** One pass over the files. */
  private record Pass(Output output, long cpuNanos, Map<String, Long> counters) {
    long rows() {
      return output.rows + counters.get("rowsFiltered");
    }
  }

  /** What a pass has produced. */
  private static final class Output {
    private long rows;

    /** Bytes of the columns, and of the heaps and dictionaries below them once each. */
    private long bytes;
  }

  private void measure(Backend backend, String name, List<Field> columns, Expression predicate) {
    Pass[] passes = new Pass[rounds];
    for (int i = 0; i < rounds; i++) {
      passes[i] = pass(backend, slices, BenchmarkParquetScan::open, columns, predicate);
    }
    Arrays.sort(passes, (a, b) -> Long.compare(a.cpuNanos(), b.cpuNanos()));
    Pass median = passes[rounds / 2];
    double values = (double) median.rows() * columns.size();
    Map<String, Long> counters = median.counters();
    long unpack = counters.get("decompressNanos");
    long read = counters.get("readNanos");
    System.out.printf(
        Locale.ROOT,
        "%-18s %9.1f %9.2f %9.2f %9.2f %9.2f %9.2f %9.1f %9.1f %9.2f   %d of %d rows%n",
        name,
        median.cpuNanos() / 1e6,
        median.cpuNanos() / values,
        read / values,
        unpack / values,
        (counters.get("decodeNanos") - unpack - read) / values,
        counters.get("filterNanos") / values,
        counters.get("bytesRead") / 1e6,
        median.output().bytes / 1e6,
        (double) median.output().bytes / median.cpuNanos(),
        median.output().rows,
        median.rows());
  }

  private static Pass pass(
      Backend backend,
      List<FileSlice> slices,
      FileOpener opener,
      List<Field> columns,
      Expression predicate) {
    Map<String, LongAdder> counters = new TreeMap<>();
    long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    Output output = new Output();
    try (MemoryPool pool = MemoryPools.host("benchmark", POOL_BYTES)) {
      OperatorContext context = new OperatorContext(pool, backend, () -> false);
      ParquetScanSpec spec =
          new ParquetScanSpec(
              columns.stream().map(ScanColumn::ofFile).toList(),
              predicate,
              ParquetScanOptions.DEFAULT);
      try (SplitSource source =
          ParquetSplitSource.factory(spec, slices, opener)
              .create(context, key -> counters.computeIfAbsent(key, k -> new LongAdder()))) {
        drain(source, output);
      }
    }
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
    Map<String, Long> sums = new TreeMap<>();
    counters.forEach((key, adder) -> sums.put(key, adder.sum()));
    return new Pass(output, nanos, sums);
  }

  private static void drain(SplitSource source, Output output) {
    for (Split split = source.next(); split != null; split = source.next()) {
      Set<Object> shared = Collections.newSetFromMap(new IdentityHashMap<>());
      try (Split driven = split) {
        RecordBatch batch = driven.next();
        while (batch != null) {
          output.rows += batch.rowCount();
          output.bytes += batch.ownSizeInBytes();
          batch.visitShared((part, bytes) -> output.bytes += shared.add(part) ? bytes : 0);
          batch.close();
          batch = driven.next();
        }
      }
    }
  }
}
