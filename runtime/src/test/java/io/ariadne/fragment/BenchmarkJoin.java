package io.ariadne.fragment;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.operator.join.JoinSpec;
import io.ariadne.plan.JoinNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ScanNode;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Times a join of a side with different 64-bit keys and a larger one each of whose rows has one
 * pair, in random order; both have a 64-bit value beside the key, made as they are read. What comes
 * out is counted and the values of the first side added up.
 *
 * <p>Arguments: million rows of the first side (default 1.5), million rows of the other (60),
 * threads (2), memory in MiB (4096), "dense" keys from 0 on or "sparse" ones (dense), rounds (3), a
 * folder for what does not fit memory (none or ""), and the kind of join: INNER (the default) and
 * BUILD_SEMI keep the first side, SEMI keeps the other one.
 */
public final class BenchmarkJoin {
  private static final int ROWS_PER_BATCH = 32_768;
  private static final int BATCHES_PER_SPLIT = 8;
  private static final int PROBE_NODE = 0;
  private static final int BUILD_NODE = 1;
  private static final int BUILT_NODE = 2;
  private static final int JOIN_NODE = 3;
  private static final int AGGREGATE_NODE = 4;
  private static final long PRIME = 1_000_003;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private static final Schema SCHEMA =
      Schema.of(
          new Field("key", PrimitiveType.INT64, false),
          new Field("value", PrimitiveType.INT64, false));
  private static final Schema OUTPUT =
      Schema.of(
          new Field("sum", PrimitiveType.INT64, true),
          new Field("count", PrimitiveType.INT64, false));

  private final long firstRows;
  private final long otherRows;
  private final boolean isSparse;
  private final JoinKind kind;
  private final long expected;

  private BenchmarkJoin(long firstRows, long otherRows, boolean isSparse, JoinKind kind) {
    this.firstRows = firstRows;
    this.otherRows = otherRows;
    this.isSparse = isSparse;
    this.kind = kind;
    this.expected = countExpected();
  }

  /**
   * Runs rounds and prints their times.
   *
   * @param arguments as the class says
   */
  public static void main(String[] arguments) throws IOException {
    String[] all = {"1.5", "60", "2", "4096", "dense", "3", "", "INNER"};
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    BenchmarkJoin benchmark =
        new BenchmarkJoin(
            (long) (Double.parseDouble(all[0]) * 1e6),
            (long) (Double.parseDouble(all[1]) * 1e6),
            all[4].equals("sparse"),
            JoinKind.valueOf(all[7]));
    RuntimeConfig config =
        RuntimeConfig.of(Integer.parseInt(all[2]), Long.parseLong(all[3]) << 20)
            .withBackend(BackendChoice.CPU);
    if (!all[6].isEmpty()) {
      config =
          config.withSpill(DiskSpillOptions.in(List.of(Files.createDirectories(Path.of(all[6])))));
    }
    benchmark.run(config, Integer.parseInt(all[5]));
  }

  private void run(RuntimeConfig config, int rounds) {
    List<Double> millis = new ArrayList<>();
    for (int round = -1; round < rounds; round++) {
      double time = time(config);
      if (round >= 0) {
        millis.add(time);
      }
    }
    Collections.sort(millis);
    System.out.printf("median of %d: %.0f ms%n", rounds, millis.get(rounds / 2));
  }

  private double time(RuntimeConfig config) {
    ExecutorRuntime runtime = ExecutorRuntime.start(config);
    TestingScan first = scan(firstRows, this::place);
    TestingScan other = scan(otherRows, i -> spread(i) % firstRows);
    boolean keepsOther = kind == JoinKind.SEMI;
    long start = System.nanoTime();
    double millis;
    try (FragmentExecution execution =
        runtime.submit(
            plan(kind),
            List.of(),
            keepsOther ? List.of(first, other) : List.of(other, first),
            TaskEnvironment.NONE)) {
      check(execution);
      millis = (System.nanoTime() - start) / 1e6;
      NodeMetrics built = execution.metrics().get(BUILT_NODE);
      NodeMetrics joined = execution.metrics().get(JOIN_NODE);
      System.out.printf(
          "%.0f ms; threads built for %.0f ms, probed for %.0f ms, %.1f ns a row%n",
          millis,
          built.nanos() / 1e6,
          joined.nanos() / 1e6,
          joined.nanos() / (double) (keepsOther ? firstRows : otherRows));
    }
    runtime.close();
    return millis;
  }

  private void check(FragmentExecution execution) {
    long count = 0;
    for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
      count += new ColumnReader(batch.column(1)).getLong(0);
      batch.close();
    }
    if (count != expected) {
      throw new IllegalStateException(count + " rows, expected " + expected);
    }
  }

  /** Returns how many rows come out. */
  private long countExpected() {
    if (kind == JoinKind.INNER) {
      return otherRows;
    }
    BitSet paired = new BitSet();
    for (long i = 0; i < otherRows; i++) {
      paired.set((int) (spread(i) % firstRows));
    }
    return paired.cardinality();
  }

  /** Returns a number that looks random, not negative. */
  private static long spread(long i) {
    long mixed = (i + 1) * GOLDEN;
    return ((mixed ^ (mixed >>> 32)) * GOLDEN) >>> 1;
  }

  /** Returns one of the numbers below the first side's rows, each once, not in order. */
  private long place(long i) {
    return i * PRIME % firstRows;
  }

  private TestingScan scan(long rows, LongUnaryOperator place) {
    return scanOf(rows, i -> isSparse ? place.applyAsLong(i) * GOLDEN : place.applyAsLong(i));
  }

  /** Returns a scan of rows of a key and their number. */
  static TestingScan scanOf(long rows, LongUnaryOperator key) {
    List<List<TestingScan.BatchMaker>> splits = new ArrayList<>();
    for (long first = 0; first < rows; first += ROWS_PER_BATCH) {
      if (first / ROWS_PER_BATCH % BATCHES_PER_SPLIT == 0) {
        splits.add(new ArrayList<>());
      }
      long from = first;
      int count = (int) Math.min(ROWS_PER_BATCH, rows - first);
      splits.get(splits.size() - 1).add(allocator -> batch(from, count, key, allocator));
    }
    return new TestingScan(SCHEMA, splits);
  }

  private static RecordBatch batch(
      long first, int rows, LongUnaryOperator key, BufferAllocator allocator) {
    MemoryBuffer keys = allocator.allocate((long) rows * Long.BYTES);
    MemoryBuffer values;
    try {
      values = allocator.allocate((long) rows * Long.BYTES);
    } catch (RuntimeException | Error e) {
      keys.close();
      throw e;
    }
    for (int row = 0; row < rows; row++) {
      Memory.putLong(keys.address() + row * 8L, key.applyAsLong(first + row));
      Memory.putLong(values.address() + row * 8L, first + row);
    }
    return new RecordBatch(SCHEMA, rows, List.of(column(rows, keys), column(rows, values)), 0);
  }

  private static ColumnVector column(int rows, MemoryBuffer data) {
    return ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, rows, data, null);
  }

  /**
   * Returns a join of scan 0 with scan 1 whose rows are counted, and values added up: those of the
   * build side where they come out, else of the probe side.
   */
  static PlanNode plan(JoinKind kind) {
    Expression value = new ColumnReference(1, PrimitiveType.INT64, true);
    return SumAndCount.of(AGGREGATE_NODE, join(kind), List.of(), value, OUTPUT);
  }

  /** Returns the join alone: values of the probe side and of the build side. */
  static JoinNode join(JoinKind kind) {
    Expression key = new ColumnReference(0, PrimitiveType.INT64, false);
    Schema pairs = Schema.of(SCHEMA.field(1), new Field("summed", PrimitiveType.INT64, true));
    List<Integer> columns =
        kind.yieldsPairs()
            ? List.of(1, 3)
            : kind.yieldsOnlyBuildRows() ? List.of(2, 3) : List.of(0, 1);
    JoinSpec spec =
        new JoinSpec(
            kind, SCHEMA, SCHEMA, List.of(key), List.of(key), null, List.of(), columns, pairs);
    return new JoinNode(
        JOIN_NODE,
        BUILT_NODE,
        new ScanNode(PROBE_NODE, 0, SCHEMA),
        new ScanNode(BUILD_NODE, 1, SCHEMA),
        spec);
  }
}
