package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelinePlan;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which splits run at the same time, by the memory that batches hold. */
class TestSplitAdmission extends AbstractTestFragment {
  private static final int THREADS = 4;
  private static final int FRAGMENTS = 4;
  private static final long MEMORY = 64 << 20;
  private static final int MIB = 1 << 20;
  private static final int SPLITS = 12;
  private static final int BATCHES = 4;
  private static final int ROWS = 32 << 10;
  private static final long ALL_BYTES = (long) FRAGMENTS * SPLITS * BATCHES * ROWS * Long.BYTES;

  @TempDir private Path folder;

  /**
   * The output that may wait is a quarter of the memory, of which others take 85 %. With the limits
   * of the fragments alone, a sixth to a third of all output is spilled.
   */
  @Test
  void spillsLittleOutputOfASourceThatOutrunsItsConsumer() throws Exception {
    restart(RuntimeConfig.of(THREADS, MEMORY).withSpill(DiskSpillOptions.in(List.of(folder))));
    long others = runtime.pool().limitInBytes() * 85 / 100;
    try (MemoryBuffer table = runtime.pool().allocate(others)) {
      assertEquals(others, table.lengthInBytes());
      List<CompletableFuture<Long>> fragments = new ArrayList<>();
      for (int i = 0; i < FRAGMENTS; i++) {
        fragments.add(new CompletableFuture<>());
      }
      fragments.forEach(rows -> new Thread(() -> complete(rows)).start());
      for (CompletableFuture<Long> rows : fragments) {
        assertEquals((long) SPLITS * BATCHES * ROWS, (long) watch(rows::get));
      }
    }
    long moved = runtime.movedBytes();
    assertTrue(moved < ALL_BYTES / 8, moved + " of " + ALL_BYTES + " bytes moved");
  }

  /** A batch is 3 MiB, a fragment's share 4 MiB, and that of all fragments 16 MiB. */
  @Test
  void usesAllThreadsForLargeBatchesOfOneFragment() throws Exception {
    restart(RuntimeConfig.of(THREADS, MEMORY).withSpill(DiskSpillOptions.in(List.of(folder))));
    assertAllDriversWork(3 * MIB, values -> new long[][] {{values.length}});
  }

  /** No output waits, so none would be spilled. */
  @Test
  void usesAllThreadsForRowsThatAreDroppedWhileMemoryIsScarce() throws Exception {
    restart(RuntimeConfig.of(THREADS, MEMORY).withSpill(DiskSpillOptions.in(List.of(folder))));
    try (MemoryBuffer table = runtime.pool().allocate(MEMORY * 2 / 3)) {
      assertEquals(MEMORY * 2 / 3, table.lengthInBytes());
      assertAllDriversWork(ROWS, values -> new long[0][]);
    }
  }

  /** Asserts that all drivers of one fragment work at the same time, at half of its batches. */
  private void assertAllDriversWork(int batchBytes, Function<long[], long[][]> mapping)
      throws Exception {
    AtomicInteger begun = new AtomicInteger();
    CyclicBarrier all = new CyclicBarrier(THREADS);
    OperatorFactory together =
        context ->
            new TestingOperator(context, mapping) {
              @Override
              protected void onInput(long[] values) {
                if (begun.getAndIncrement() < SPLITS * BATCHES / 2) {
                  FragmentTestFailures.await(all);
                }
              }
            };
    TestingScan scan = TestingScan.of(SPLITS, BATCHES, batchBytes / Long.BYTES);
    LocalPlan plan =
        TestFragmentScan.scanning(TestingRuntimes.pipeline(together), PipelinePlan.ANY);
    try (FragmentExecution execution =
        runtime.execute(plan, List.of(), List.of(scan), TaskEnvironment.NONE)) {
      drainWatched(execution);
    }
    assertEquals(SPLITS * BATCHES, begun.get());
  }

  private void complete(CompletableFuture<Long> rows) {
    try {
      rows.complete(drain());
    } catch (RuntimeException | Error e) {
      rows.completeExceptionally(e);
    }
  }

  private long drain() {
    TestingScan scan = TestingScan.of(SPLITS, BATCHES, ROWS);
    LocalPlan plan =
        TestFragmentScan.scanning(
            TestingRuntimes.pipeline(TestingOperator.passing()), PipelinePlan.ANY);
    long rows = 0;
    try (FragmentExecution execution =
        runtime.execute(plan, List.of(), List.of(scan), TaskEnvironment.NONE)) {
      for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
        rows += batch.rowCount();
        batch.close();
        FragmentTestFailures.pause(10);
      }
    }
    return rows;
  }
}
