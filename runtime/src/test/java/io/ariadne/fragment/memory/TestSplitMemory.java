package io.ariadne.fragment.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.AbstractTestFragment;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.FragmentTestFailures;
import io.ariadne.fragment.LongBatches;
import io.ariadne.fragment.TestFragmentScan;
import io.ariadne.fragment.TestingOperator;
import io.ariadne.fragment.TestingRuntimes;
import io.ariadne.fragment.TestingScan;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelinePlan;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Splits that hold much memory: few of them are started at a time. */
class TestSplitMemory extends AbstractTestFragment {
  private static final int THREADS = 4;
  private static final int FRAGMENTS = 3;
  private static final long MEMORY = 64 << 20;

  /** A quarter of the memory is for further splits: one of these, beside one of each fragment. */
  private static final long LARGE = 15 << 20;

  private static final long SECOND = 1_000_000_000;

  @TempDir private Path folder;

  private long freeBytes;
  private long now;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  @Test
  void acquiresWithinTheLimitOrForAnOnlySplit() {
    SplitMemory memory = new SplitMemory(100);
    assertTrue(memory.tryAcquire(90, 0, false));
    assertFalse(memory.tryAcquire(20, 90, false));
    assertTrue(memory.tryAcquire(20, 0, true));
    assertFalse(memory.tryAcquire(1, 0, false));
    memory.release(90);
    assertTrue(memory.tryAcquire(80, 0, false));
    assertEquals(100, memory.heldBytes());
  }

  @Test
  void givesASinglePipelineWhatIsFree() {
    SplitMemory memory = new SplitMemory(100, () -> freeBytes, () -> now);
    freeBytes = 300;
    assertTrue(memory.tryAcquire(100, 0, true));
    assertTrue(memory.tryAcquire(200, 100, false));
    assertFalse(memory.tryAcquire(1, 300, false), "all that was free is acquired");
    memory.release(200);
    assertFalse(memory.tryAcquire(200, 99, false), "another pipeline has started a split");
    assertTrue(memory.tryAcquire(200, 100, false));
  }

  @Test
  void measuresWhatIsFreeOnceASecond() {
    SplitMemory memory = new SplitMemory(100, () -> freeBytes, () -> now);
    freeBytes = 300;
    assertTrue(memory.tryAcquire(200, 0, true));
    assertTrue(memory.tryAcquire(50, 200, false));
    freeBytes = 500;
    assertFalse(memory.tryAcquire(100, 250, false));
    now += SECOND; // the last split may not have allocated yet
    assertTrue(memory.tryAcquire(450, 250, false));
    assertFalse(memory.tryAcquire(1, 700, false));
    now += SECOND;
    freeBytes = 10;
    assertFalse(memory.tryAcquire(1, 700, false));
    now += SECOND; // all have
    assertTrue(memory.tryAcquire(10, 700, false));
    assertFalse(memory.tryAcquire(1, 710, false));
  }

  @Test
  void acquiresNoMoreThanIsFreeNow() {
    SplitMemory memory = new SplitMemory(100, () -> freeBytes, () -> now);
    freeBytes = 300;
    assertTrue(memory.tryAcquire(100, 0, true));
    assertTrue(memory.tryAcquire(50, 100, false));
    freeBytes = 49;
    assertFalse(memory.tryAcquire(50, 150, false));
    freeBytes = 50;
    assertTrue(memory.tryAcquire(50, 150, false));
  }

  @Test
  void fallsBackToTheLimitWhenOthersTakeTheMemory() {
    SplitMemory memory = new SplitMemory(100, () -> freeBytes, () -> now);
    freeBytes = -1_000;
    assertTrue(memory.tryAcquire(60, 0, true));
    assertTrue(memory.tryAcquire(40, 60, false));
    assertFalse(memory.tryAcquire(1, 100, false));
  }

  @Test
  void startsFewLargeSplitsInManyFragments() throws Exception {
    restart(RuntimeConfig.of(THREADS, MEMORY));
    run(LARGE);
    assertTrue(most.get() <= FRAGMENTS + 1, most + " splits at once");
  }

  @Test
  void usesAllThreadsForSmallSplitsOfOneFragment() throws Exception {
    restart(RuntimeConfig.of(THREADS, MEMORY));
    watch(() -> drain(1 << 20));
    assertTrue(most.get() > FRAGMENTS, most + " splits at once");
  }

  /** A quarter of the memory is for further splits, 16 MiB; the mark for spilling is at 57 MiB. */
  @Test
  void startsMoreLargeSplitsOfOneFragmentWhileMemoryIsFree() throws Exception {
    restart(RuntimeConfig.of(THREADS, MEMORY).withSpill(DiskSpillOptions.in(List.of(folder))));
    watch(() -> drain(LARGE));
    assertEquals(3, most.get(), "splits at once");
    most.set(0);
    try (MemoryBuffer table = runtime.pool().allocate(MEMORY / 4 * 3)) {
      assertEquals(MEMORY / 4 * 3, table.lengthInBytes());
      watch(() -> drain(LARGE));
    }
    assertEquals(1, most.get(), "splits at once");
  }

  private void run(long bytes) throws Exception {
    List<CompletableFuture<Long>> fragments = new ArrayList<>();
    for (int i = 0; i < FRAGMENTS; i++) {
      CompletableFuture<Long> rows = new CompletableFuture<>();
      fragments.add(rows);
      new Thread(() -> complete(rows, bytes)).start();
    }
    for (CompletableFuture<Long> rows : fragments) {
      assertEquals(240L, (long) watch(rows::get));
    }
  }

  private void complete(CompletableFuture<Long> rows, long bytes) {
    try {
      rows.complete(drain(bytes));
    } catch (Exception e) {
      rows.completeExceptionally(e);
    }
  }

  /** Runs a fragment over eight splits; returns its rows. */
  private long drain(long bytes) throws Exception {
    TestingScan scan =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(8, 3, 10)) {
          @Override
          protected long memoryInBytes(int split) {
            return bytes;
          }

          @Override
          protected void beforeBatch(int split, int batch) {
            if (batch == 0) {
              most.accumulateAndGet(open.incrementAndGet(), Math::max);
            }
            FragmentTestFailures.pause(
                25); // longer than a time slice: other splits are started meanwhile
          }

          @Override
          protected void onClose(int split) {
            open.decrementAndGet();
          }
        };
    LocalPlan plan =
        TestFragmentScan.scanning(
            TestingRuntimes.pipeline(TestingOperator.passing()), PipelinePlan.ANY);
    try (FragmentExecution execution =
        runtime.execute(plan, List.of(), List.of(scan), TaskEnvironment.NONE)) {
      return TestingRuntimes.drain(execution).length;
    }
  }
}
