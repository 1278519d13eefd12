package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.kernel.sort.SortDirection;
import io.ariadne.operator.sort.SortColumn;
import io.ariadne.plan.PartitionNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.RoundRobinNode;
import io.ariadne.plan.ScanNode;
import io.ariadne.plan.SortNode;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Round robin numbers rows in the order they are sorted in, in whatever order they come, also where
 * many runs are merged, some of which have left memory, and there are more threads than one.
 */
@Timeout(120)
class TestRoundRobinOrder {
  private static final int ROWS = 1_000_000;
  private static final int PARTITIONS = 7;
  private static final long PRIME = 999_983;
  private static final long MEMORY_BYTES = 16 << 20;
  private static final Duration LIMIT = Duration.ofSeconds(100);

  private static final Schema SCHEMA =
      Schema.of(
          new Field("key", PrimitiveType.INT64, false),
          new Field("value", PrimitiveType.INT64, false));

  @TempDir private Path folder;

  private static PlanNode plan() {
    PlanNode scan = new ScanNode(0, 0, SCHEMA);
    PlanNode sorted = new SortNode(1, scan, List.of(new SortColumn(0, SortDirection.ASCENDING)));
    return new PartitionNode(3, new RoundRobinNode(2, sorted, 2, PARTITIONS), PARTITIONS);
  }

  @Test
  void distributesRowsInOrder() {
    check(i -> i);
  }

  @Test
  void distributesRowsInReverseOrder() {
    check(i -> ROWS - 1 - i);
  }

  @Test
  void distributesRowsInRandomOrder() {
    check(i -> i * PRIME % ROWS);
  }

  /** Deals out rows with the keys 0, 1 and so on, each once. */
  private void check(LongUnaryOperator keys) {
    RuntimeConfig config =
        RuntimeConfig.of(4, MEMORY_BYTES)
            .withBackend(BackendChoice.CPU)
            .withSpill(DiskSpillOptions.in(List.of(folder)));
    ExecutorRuntime runtime = ExecutorRuntime.start(config);
    try (FragmentExecution execution =
        runtime.submit(
            plan(), List.of(), List.of(BenchmarkJoin.scanOf(ROWS, keys)), TaskEnvironment.NONE)) {
      assertEquals(ROWS, HangingTestWatchdog.watch(runtime, LIMIT, () -> placedRows(execution)));
    } catch (Exception e) {
      throw new AssertionError("rows could not be dealt out", e);
    }
    assertEquals("", runtime.pool().leakReport());
    runtime.close();
  }

  private static long placedRows(FragmentExecution execution) {
    long rows = 0;
    for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
      try (RecordBatch placed = batch) {
        ColumnReader keys = new ColumnReader(placed.column(0));
        ColumnReader places = new ColumnReader(placed.column(2));
        for (int row = 0; row < placed.rowCount(); row++) {
          assertEquals(keys.getLong(row) % PARTITIONS, places.getInt(row));
        }
        rows += placed.rowCount();
      }
    }
    return rows;
  }
}
