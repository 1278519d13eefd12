package io.ariadne.fragment;

import com.sun.management.OperatingSystemMXBean;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.operator.join.JoinSpec;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.JoinNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ScanNode;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Measures fragments in which batches are, or become, small, and one in which they never are, in
 * milliseconds of the clock and of all threads: of each the median of some rounds.
 *
 * <p>Arguments: threads (default 2), million rows (8), rounds (9).
 */
public final class BenchmarkSmallBatches {
  private static final int BATCHES_PER_SPLIT = 32;
  private static final int BUILD_ROWS = 1000;
  private static final int KEYS = 1_000_000;
  private static final long MEMORY_BYTES = 1L << 30;
  private static final Field KEY = new Field("key", PrimitiveType.INT64, false);
  private static final Field VALUE = new Field("value", PrimitiveType.INT64, false);
  private static final Schema SCHEMA = Schema.of(KEY, VALUE);
  private static final Schema OUTPUT =
      Schema.of(
          KEY,
          new Field("sum", PrimitiveType.INT64, true),
          new Field("count", PrimitiveType.INT64, false));
  private static final Expression KEY_COLUMN = new ColumnReference(0, PrimitiveType.INT64, false);

  private final ExecutorRuntime runtime;
  private final MemoryPool pool = MemoryPools.host("input", MEMORY_BYTES);
  private final long rows;
  private final int rounds;
  private final RecordBatch large;
  private final RecordBatch build;

  private BenchmarkSmallBatches(int threads, long rows, int rounds) {
    RuntimeConfig config = RuntimeConfig.of(threads, MEMORY_BYTES);
    this.runtime = ExecutorRuntime.start(config.withBackend(BackendChoice.CPU));
    this.rows = rows;
    this.rounds = rounds;
    Random random = new Random(1);
    this.large = batch(32_768, random);
    this.build = batch(BUILD_ROWS, random);
  }

  private RecordBatch batch(int rowCount, Random random) {
    try (BatchBuilder builder = new BatchBuilder(SCHEMA, pool)) {
      for (int row = 0; row < rowCount; row++) {
        builder.appendRow((long) random.nextInt(KEYS), (long) row);
      }
      return builder.build(0);
    }
  }

  /**
   * Runs all cases and prints their medians.
   *
   * @param arguments threads, million rows, rounds
   */
  public static void main(String[] arguments) {
    int[] numbers = {2, 8, 9};
    for (int i = 0; i < arguments.length; i++) {
      numbers[i] = Integer.parseInt(arguments[i]);
    }
    new BenchmarkSmallBatches(numbers[0], 1_000_000L * numbers[1], numbers[2]).run();
  }

  private void run() {
    for (boolean scans : new boolean[] {true, false}) {
      PlanNode leaf = scans ? new ScanNode(0, 0, SCHEMA) : new InputNode(0, 0, SCHEMA);
      String from = scans ? " of a scan" : " of an input";
      measure("all rows aggregated" + from, aggregate(leaf), 32_768);
      measure("1/1000 aggregated" + from, aggregate(filter(leaf, KEYS / 1000)), 32_768);
      measure("1/1000 joined, aggregated" + from, aggregate(join(leaf)), 32_768);
      measure("1/1000 emitted" + from, filter(leaf, KEYS / 1000), 32_768);
      measure("batches of 2048 aggregated" + from, aggregate(leaf), 2048);
      measure("batches of 33 aggregated" + from, aggregate(leaf), 33);
    }
    large.close();
    build.close();
    runtime.close();
    pool.close();
  }

  private void measure(String name, PlanNode plan, int batchRows) {
    int batches = (int) (Math.min(rows, batchRows * 100_000L) / batchRows);
    double[] millis = new double[rounds];
    double[] cpuMillis = new double[rounds];
    for (int round = -3; round < rounds; round++) {
      long cpu = cpuNanos();
      double time = time(plan, batchRows, batches);
      if (round >= 0) {
        millis[round] = time;
        cpuMillis[round] = (cpuNanos() - cpu) / 1e6;
      }
    }
    Arrays.sort(millis);
    Arrays.sort(cpuMillis);
    System.out.printf(
        "%-40s %,10d rows %7.1f ms (%.1f to %.1f), of all threads %7.1f (%.1f to %.1f)%n",
        name,
        (long) batches * batchRows,
        millis[rounds / 2],
        millis[0],
        millis[rounds - 1],
        cpuMillis[rounds / 2],
        cpuMillis[0],
        cpuMillis[rounds - 1]);
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private double time(PlanNode plan, int batchRows, int batches) {
    long start = System.nanoTime();
    List<BatchSource> inputs =
        List.of(
            new Repeated(large, batchRows, batches, runtime.pool()),
            new Repeated(build, BUILD_ROWS, 1, runtime.pool()));
    try (FragmentExecution execution =
        runtime.submit(plan, inputs, List.of(scan(batchRows, batches)), TaskEnvironment.NONE)) {
      long sum = 0;
      for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
        sum += new ColumnReader(batch.column(1)).getLong(0);
        batch.close();
      }
      if (sum < 0) {
        throw new IllegalStateException("a sum of " + sum);
      }
    }
    return (System.nanoTime() - start) / 1e6;
  }

  private TestingScan scan(int batchRows, int batches) {
    List<List<TestingScan.BatchMaker>> splits = new ArrayList<>();
    RowRange part = new RowRange(0, batchRows);
    for (int i = 0; i < batches; i++) {
      if (i % BATCHES_PER_SPLIT == 0) {
        splits.add(new ArrayList<>());
      }
      splits.get(splits.size() - 1).add(allocator -> part.copyOf(large, allocator, 0));
    }
    return new TestingScan(SCHEMA, splits);
  }

  private static PlanNode filter(PlanNode child, long bound) {
    Expression few =
        new Call(
            Function.LESS,
            List.of(KEY_COLUMN, new Literal(bound, PrimitiveType.INT64)),
            PrimitiveType.BOOLEAN,
            false,
            EvaluationMode.LEGACY,
            ExpressionError.NO_ORIGIN);
    return new FilterNode(1, child, few);
  }

  private static PlanNode join(PlanNode probe) {
    JoinSpec spec =
        new JoinSpec(
            JoinKind.INNER,
            SCHEMA,
            SCHEMA,
            List.of(KEY_COLUMN),
            List.of(KEY_COLUMN),
            null,
            List.of(),
            List.of(0, 3),
            SCHEMA);
    return new JoinNode(3, 2, probe, new InputNode(1, 1, SCHEMA), spec);
  }

  private static PlanNode aggregate(PlanNode child) {
    Expression value = new ColumnReference(1, PrimitiveType.INT64, false);
    return SumAndCount.of(4, child, List.of(KEY_COLUMN), value, OUTPUT);
  }

  /** The first rows of a batch, several times. */
  private static final class Repeated implements BatchSource {
    private final RecordBatch batch;
    private final RowRange part;
    private final int count;
    private final BufferAllocator allocator;
    private int next;

    Repeated(RecordBatch batch, int rows, int count, BufferAllocator allocator) {
      this.batch = batch;
      this.part = new RowRange(0, rows);
      this.count = count;
      this.allocator = allocator;
    }

    @Override
    public Schema schema() {
      return SCHEMA;
    }

    @Override
    public RecordBatch next() {
      return next == count ? null : part.copyOf(batch, allocator, next++);
    }

    @Override
    public void close() {}
  }
}
