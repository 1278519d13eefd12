package io.ariadne.fragment.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Splits that hold much memory: few of them are started at a time. */
class TestSplitMemory extends AbstractTestFragment {
  private static final int THREADS = 4;
  private static final int FRAGMENTS = 3;
  private static final long MEMORY = 64 << 20;

  /** A quarter of the memory is for further splits: one of these, beside one of each fragment. */
  private static final long LARGE = 10 << 20;

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  @Test
  void acquiresWithinTheLimitOrForAnOnlySplit() {
    SplitMemory memory = new SplitMemory(100);
    assertTrue(memory.tryAcquire(90, false));
    assertFalse(memory.tryAcquire(20, false));
    assertTrue(memory.tryAcquire(20, true));
    assertFalse(memory.tryAcquire(1, false));
    memory.release(90);
    assertTrue(memory.tryAcquire(80, false));
    assertEquals(100, memory.heldBytes());
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
