package io.ariadne.fragment;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.event.EventKind;
import io.ariadne.event.EventTotals;
import io.ariadne.event.ThreadRecords;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ScanNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares, on a group-by of partitions of which one has most of the rows, one runtime whose
 * threads share all work with one thread per partition: as many runtimes of one thread. In both, as
 * many tasks run at once as there are threads, each taking the next partition, as Spark's do.
 *
 * <p>Arguments: threads (default 2), million rows (20), rounds (5), different keys (20000).
 */
public final class BenchmarkSkewedAggregate {
  private static final int PARTITIONS = 8;
  private static final double LARGEST_SHARE = 0.9;

  /** Place of the large partition: neither first nor last. */
  private static final int LARGEST = 3;

  private static final int ROWS_PER_BATCH = 32_768;
  private static final int BATCHES_PER_SPLIT = 8;
  private static final long MEMORY_BYTES = 1L << 30;

  /**
   * How long rounds are not counted: the JVM compiles for about eight seconds, beside one thread
   * per partition on a processor that is idle, beside shared work on one that is not.
   */
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final Schema SCHEMA =
      Schema.of(
          new Field("key", PrimitiveType.INT64, false),
          new Field("value", PrimitiveType.INT64, false));
  private static final Schema OUTPUT =
      Schema.of(
          SCHEMA.field(0),
          new Field("sum", PrimitiveType.INT64, true),
          new Field("count", PrimitiveType.INT64, false));

  private final int threads;
  private final long rows;
  private final int keys;
  private final List<RecordBatch> batches = new ArrayList<>();

  private BenchmarkSkewedAggregate(int threads, long rows, int keys) {
    this.threads = threads;
    this.rows = rows;
    this.keys = keys;
  }

  /**
   * Runs the comparison and prints medians in milliseconds.
   *
   * @param arguments threads, million rows, rounds, different keys
   */
  public static void main(String[] arguments) throws InterruptedException {
    int[] numbers = {2, 20, 5, 20_000};
    for (int i = 0; i < arguments.length; i++) {
      numbers[i] = Integer.parseInt(arguments[i]);
    }
    new BenchmarkSkewedAggregate(numbers[0], 1_000_000L * numbers[1], numbers[3]).run(numbers[2]);
  }

  private void run(int rounds) throws InterruptedException {
    MemoryPool source = MemoryPools.host("source", MEMORY_BYTES);
    Random random = new Random(1);
    for (int i = 0; i < 16; i++) {
      batches.add(batch(random, source));
    }
    List<Double> shared = new ArrayList<>();
    List<Double> alone = new ArrayList<>();
    long warm = System.nanoTime() + WARM_UP_NANOS;
    while (shared.size() < rounds) {
      boolean isWarm = System.nanoTime() - warm >= 0;
      double sharedMillis = time(1, threads);
      double aloneMillis = time(threads, 1);
      if (isWarm) {
        shared.add(sharedMillis);
        alone.add(aloneMillis);
      }
      System.out.printf(
          "shared %.0f ms, one thread per partition %.0f ms%n", sharedMillis, aloneMillis);
    }
    Collections.sort(shared);
    Collections.sort(alone);
    double a = alone.get(rounds / 2);
    double s = shared.get(rounds / 2);
    System.out.printf("medians: shared %.0f ms, alone %.0f ms, %.2f times faster%n", s, a, a / s);
    batches.forEach(RecordBatch::close);
    source.close();
  }

  private RecordBatch batch(Random random, MemoryPool pool) {
    try (BatchBuilder builder = new BatchBuilder(SCHEMA, pool)) {
      for (int row = 0; row < ROWS_PER_BATCH; row++) {
        builder.appendRow((long) random.nextInt(keys), (long) row);
      }
      return builder.build(0);
    }
  }

  /** Aggregates all partitions once; returns milliseconds. */
  private double time(int runtimeCount, int threadsEach) throws InterruptedException {
    List<ExecutorRuntime> runtimes = new ArrayList<>();
    for (int i = 0; i < runtimeCount; i++) {
      RuntimeConfig config = RuntimeConfig.of(threadsEach, MEMORY_BYTES);
      runtimes.add(ExecutorRuntime.start(config.withBackend(BackendChoice.CPU)));
    }
    AtomicInteger next = new AtomicInteger();
    AtomicLong counted = new AtomicLong();
    List<Thread> tasks = new ArrayList<>();
    EventTotals before = events();
    long start = System.nanoTime();
    for (int slot = 0; slot < threads; slot++) {
      ExecutorRuntime runtime = runtimes.get(slot % runtimeCount);
      tasks.add(new Thread(() -> runTasks(runtime, next, counted), "task-" + slot));
    }
    tasks.forEach(Thread::start);
    for (Thread task : tasks) {
      task.join();
    }
    double millis = (System.nanoTime() - start) / 1e6;
    long events = events().minus(before).count();
    runtimes.forEach(ExecutorRuntime::close);
    long expected = 0;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      expected += (long) batchesOf(partition) * ROWS_PER_BATCH;
    }
    if (counted.get() != expected) {
      throw new IllegalStateException(counted + " rows counted, expected " + expected);
    }
    System.out.print(events + " events; ");
    return millis;
  }

  private static EventTotals events() {
    EventTotals sum = EventTotals.NONE;
    for (EventKind kind : EventKind.values()) {
      sum = sum.plus(ThreadRecords.totals(kind));
    }
    return sum;
  }

  private int batchesOf(int partition) {
    double share = partition == LARGEST ? LARGEST_SHARE : (1 - LARGEST_SHARE) / (PARTITIONS - 1);
    return (int) Math.max(1, rows * share / ROWS_PER_BATCH);
  }

  private void runTasks(ExecutorRuntime runtime, AtomicInteger next, AtomicLong counted) {
    for (int task = next.getAndIncrement(); task < PARTITIONS; task = next.getAndIncrement()) {
      try (FragmentExecution execution =
          runtime.submit(plan(), List.of(), List.of(scan(task)), TaskEnvironment.NONE)) {
        for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
          ColumnReader counts = new ColumnReader(batch.column(2));
          for (int row = 0; row < batch.rowCount(); row++) {
            counted.addAndGet(counts.getLong(row));
          }
          batch.close();
        }
      }
    }
  }

  private TestingScan scan(int partition) {
    List<List<TestingScan.BatchMaker>> splits = new ArrayList<>();
    for (int i = 0; i < batchesOf(partition); i++) {
      if (i % BATCHES_PER_SPLIT == 0) {
        splits.add(new ArrayList<>());
      }
      RecordBatch batch = batches.get(i % batches.size());
      RowRange all = new RowRange(0, ROWS_PER_BATCH);
      splits.get(splits.size() - 1).add(allocator -> all.copyOf(batch, allocator, 0));
    }
    return new TestingScan(SCHEMA, splits);
  }

  private static PlanNode plan() {
    PlanNode scan = new ScanNode(0, 0, SCHEMA);
    Expression key = new ColumnReference(0, PrimitiveType.INT64, false);
    Expression value = new ColumnReference(1, PrimitiveType.INT64, false);
    return SumAndCount.of(1, scan, List.of(key), value, OUTPUT);
  }
}
