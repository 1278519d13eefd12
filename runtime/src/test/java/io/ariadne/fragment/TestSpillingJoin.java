package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Joins whose build side needs a table four times as large as the memory, also with one hot key.
 */
@Timeout(120)
class TestSpillingJoin {
  private static final long MEMORY_BYTES = 8 << 20;
  private static final Duration LIMIT = Duration.ofSeconds(100);
  private static final long BUILD_ROWS = 500_000;
  private static final long PROBE_ROWS = 750_000;
  private static final long ORDERED_BUILD_ROWS = 250_000;
  private static final long ORDERED_PROBE_ROWS = 60_000;
  private static final long HOT_KEY = 42;
  private static final long HOT_ROWS = 150_000;

  @TempDir private Path folder;

  /** A key per number, far from each other. */
  private static long key(long number) {
    return number * 0x9e3779b97f4a7c15L;
  }

  @Test
  void joinsDistinctKeys() {
    // every other probe row has a pair: those with numbers below the build side's rows
    LongUnaryOperator probe = i -> key(i % 2 == 0 ? i / 2 : BUILD_ROWS + i);
    long pairs = PROBE_ROWS / 2;
    long sum = pairs * (pairs - 1) / 2;
    check(JoinKind.INNER, TestSpillingJoin::key, probe, pairs, sum);
    check(JoinKind.OUTER, TestSpillingJoin::key, probe, PROBE_ROWS, sum);
    long unmatched = BUILD_ROWS - pairs;
    long all = BUILD_ROWS * (BUILD_ROWS - 1) / 2;
    check(JoinKind.FULL, TestSpillingJoin::key, probe, PROBE_ROWS + unmatched, all);
    check(JoinKind.BUILD_OUTER, TestSpillingJoin::key, probe, pairs + unmatched, all);
    check(JoinKind.BUILD_SEMI, TestSpillingJoin::key, probe, pairs, sum);
    check(JoinKind.BUILD_ANTI, TestSpillingJoin::key, probe, unmatched, all - sum);
    check(JoinKind.BUILD_EXISTENCE, TestSpillingJoin::key, probe, BUILD_ROWS, all);
  }

  @Test
  void joinsOneHotKey() {
    LongUnaryOperator build = i -> i < HOT_ROWS ? HOT_KEY : key(i);
    LongUnaryOperator probe = i -> i < 3 ? HOT_KEY : key(BUILD_ROWS - i);
    long others = BUILD_ROWS - HOT_ROWS;
    long hotSum = HOT_ROWS * (HOT_ROWS - 1) / 2;
    long all = BUILD_ROWS * (BUILD_ROWS - 1) / 2;
    // rows before the first three of the probe side have the numbers of the last build rows
    long missed = (BUILD_ROWS - 1) + (BUILD_ROWS - 2);
    long pairs = 3 * HOT_ROWS + others - 2;
    check(JoinKind.INNER, build, probe, pairs, 2 * hotSum + all - missed);
    long withoutPair = PROBE_ROWS - 3 - (others - 2);
    check(JoinKind.OUTER, build, probe, pairs + withoutPair, 2 * hotSum + all - missed);
    check(JoinKind.FULL, build, probe, pairs + withoutPair + 2, 2 * hotSum + all);
    check(JoinKind.BUILD_OUTER, build, probe, pairs + 2, 2 * hotSum + all);
    check(JoinKind.BUILD_SEMI, build, probe, BUILD_ROWS - 2, all - missed);
    check(JoinKind.BUILD_ANTI, build, probe, 2, missed);
    check(JoinKind.BUILD_EXISTENCE, build, probe, BUILD_ROWS, all);
  }

  /** Where the order is kept, the build side is not partitioned but joined in passes. */
  @Test
  void joinsInOrder() throws Exception {
    LongUnaryOperator probe = i -> key(i % 2 == 0 ? i / 2 : ORDERED_BUILD_ROWS + i);
    ExecutorRuntime runtime = start();
    try (FragmentExecution execution =
        runtime.submit(
            BenchmarkJoin.join(JoinKind.INNER).inOrder(),
            List.of(),
            List.of(
                BenchmarkJoin.scanOf(ORDERED_PROBE_ROWS, probe),
                BenchmarkJoin.scanOf(ORDERED_BUILD_ROWS, TestSpillingJoin::key)),
            TaskEnvironment.NONE)) {
      long rows = HangingTestWatchdog.watch(runtime, LIMIT, () -> countInOrder(execution));
      assertEquals(ORDERED_PROBE_ROWS / 2, rows);
    }
    assertTrue(runtime.memoryUsage().movedFromHost() > 0, "nothing moved to disk");
    assertEquals("", runtime.pool().leakReport());
    runtime.close();
  }

  /** Counts pairs of every other probe row with the build rows, in order. */
  private static long countInOrder(FragmentExecution execution) {
    long count = 0;
    for (RecordBatch next = execution.next(); next != null; next = execution.next()) {
      try (RecordBatch batch = next) {
        ColumnReader probe = new ColumnReader(batch.column(0));
        ColumnReader build = new ColumnReader(batch.column(1));
        for (int row = 0; row < batch.rowCount(); row++) {
          assertEquals(2 * count, probe.getLong(row));
          assertEquals(count, build.getLong(row));
          count++;
        }
      }
    }
    return count;
  }

  private ExecutorRuntime start() {
    return ExecutorRuntime.start(
        RuntimeConfig.of(2, MEMORY_BYTES)
            .withBackend(BackendChoice.CPU)
            .withSpill(DiskSpillOptions.in(List.of(folder))));
  }

  private void check(
      JoinKind kind, LongUnaryOperator build, LongUnaryOperator probe, long count, long sum) {
    ExecutorRuntime runtime = start();
    try (FragmentExecution execution =
        runtime.submit(
            BenchmarkJoin.plan(kind),
            List.of(),
            List.of(
                BenchmarkJoin.scanOf(PROBE_ROWS, probe), BenchmarkJoin.scanOf(BUILD_ROWS, build)),
            TaskEnvironment.NONE)) {
      List<Long> row = HangingTestWatchdog.watch(runtime, LIMIT, () -> onlyRow(execution));
      assertEquals(List.of(sum, count), row, kind + " yields other rows");
    } catch (Exception e) {
      throw new AssertionError(kind + " failed", e);
    }
    assertTrue(runtime.memoryUsage().movedFromHost() > 0, () -> kind + " moved nothing to disk");
    assertEquals("", runtime.pool().leakReport());
    runtime.close();
  }

  private static List<Long> onlyRow(FragmentExecution execution) {
    try (RecordBatch batch = execution.next()) {
      List<Long> row =
          List.of(
              new ColumnReader(batch.column(0)).getLong(0),
              new ColumnReader(batch.column(1)).getLong(0));
      assertNull(execution.next());
      return row;
    }
  }
}
