package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.BatchSize;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.executor.SelectedBackend;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.limit.LimitOperatorFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Tests that rows which operators buffer for a larger batch are emitted in time, in order and
 * before failures.
 */
class TestBufferedRows extends AbstractTestFragment {
  private static final OperatorFactory BUFFERING = context -> new BufferingOperator();

  private FragmentExecution execute(LocalPlan plan, TestingScan scan) {
    LocalPlan scanning = TestFragmentScan.scanning(plan, PipelinePlan.ANY);
    return runtime.execute(scanning, List.of(), List.of(scan), TaskEnvironment.NONE);
  }

  private static OperatorFactory failingAt(long value, String message) {
    return TestingOperator.mapping(
        values -> {
          if (Arrays.stream(values).anyMatch(each -> each == value)) {
            throw new IllegalArgumentException(message);
          }
          return new long[][] {values};
        });
  }

  @Test
  void keepsOrderOnAnyNumberOfThreads() throws Exception {
    for (int threads = 1; threads <= 4; threads++) {
      restart(RuntimeConfig.of(threads, 64 << 20));
      try (FragmentExecution execution =
          execute(TestingRuntimes.pipeline(BUFFERING, BUFFERING), TestingScan.of(12, 5, 10))) {
        long[] values = watch(() -> TestingRuntimes.drain(execution));
        assertArrayEquals(LongStream.range(0, 600).toArray(), values);
      }
      try (FragmentExecution execution =
          execute(TestingRuntimes.pipeline(BUFFERING, BUFFERING), source(60, 10))) {
        long[] values = watch(() -> TestingRuntimes.drain(execution));
        assertArrayEquals(LongStream.range(0, 600).toArray(), values);
      }
    }
  }

  @Test
  void flushesBufferedRowsOfABlockedSplit() throws Exception {
    CompletableFuture<Void> more = new CompletableFuture<>();
    TestingScan scan =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(1, 3, 10)) {
          @Override
          protected CompletableFuture<Void> blocked(int split, int batch) {
            return batch < 2 ? super.blocked(split, batch) : more;
          }
        };
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(BUFFERING), scan)) {
      List<long[]> first = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        first.add(LongBatches.drain(watch(execution::next)));
      }
      assertEquals(0, first.get(0)[0]);
      assertEquals(10, first.get(1)[0]);
      assertFalse(more.isDone());
      more.complete(null);
      assertEquals(20, LongBatches.drain(watch(execution::next))[0]);
    }
  }

  /**
   * While a driver works, further batches are queued; it continues with these before it flushes.
   */
  @Test
  void combinesQueuedBatches() throws Exception {
    AtomicInteger most = new AtomicInteger();
    OperatorFactory slow =
        context ->
            new BufferingOperator() {
              @Override
              public void addInput(RecordBatch batch) {
                FragmentTestFailures.pause(bufferedCount() == 0 ? 5 : 0);
                super.addInput(batch);
                most.accumulateAndGet(bufferedCount(), Math::max);
              }
            };
    restart(RuntimeConfig.of(1, 64 << 20));
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(slow), source(60, 10))) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, 600).toArray(), values);
    }
    assertTrue(most.get() > 1, "each batch was alone");
  }

  /**
   * On a device, rows stay buffered over all splits and batches when the pipeline ends in a sink.
   */
  @Test
  void keepsRowsOverSplitsForASinkOnADevice() throws Exception {
    for (BatchSize size : List.of(BatchSize.HOST, BatchSize.DEVICE)) {
      runtime.close();
      Backend backend = TestingBackend.of(size);
      RuntimeConfig config = RuntimeConfig.of(1, 64 << 20);
      runtime = ExecutorRuntime.start(config, new SelectedBackend(backend, "test"));
      AtomicInteger most = new AtomicInteger();
      OperatorFactory buffering =
          context ->
              new BufferingOperator() {
                @Override
                public void addInput(RecordBatch batch) {
                  super.addInput(batch);
                  most.accumulateAndGet(bufferedCount(), Math::max);
                }
              };
      long sum = LongStream.range(0, 600).sum();
      LocalPlan plan = TestingRuntimes.grouped(1, buffering);
      try (FragmentExecution execution = execute(plan, TestingScan.of(12, 5, 10))) {
        assertArrayEquals(new long[] {sum}, watch(() -> TestingRuntimes.drain(execution)));
      }
      assertEquals(size.spansInputs() ? 60 : 5, most.get(), "batches of a scan");
      most.set(0);
      try (FragmentExecution execution = execute(plan, source(60, 10))) {
        assertArrayEquals(new long[] {sum}, watch(() -> TestingRuntimes.drain(execution)));
      }
      assertTrue(!size.spansInputs() || most.get() == 60, "batches of the task: " + most);
    }
  }

  @Test
  void emitsBufferedRowsBeforeAFailure() throws Exception {
    OperatorFactory failing = failingAt(25, "row 25");
    TestingScan broken =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(1, 3, 10)) {
          @Override
          protected void beforeBatch(int split, int batch) {
            if (batch == 2) {
              throw new IllegalArgumentException("row 25");
            }
          }
        };
    List<FragmentExecution> executions =
        List.of(
            execute(
                TestingRuntimes.pipeline(failing, BUFFERING, BUFFERING), TestingScan.of(1, 3, 10)),
            execute(TestingRuntimes.pipeline(BUFFERING), broken));
    for (FragmentExecution execution : executions) {
      try (execution) {
        List<Long> rows = new ArrayList<>();
        IllegalArgumentException failure =
            assertThrows(
                IllegalArgumentException.class, () -> watch(() -> collect(execution, rows)));
        assertEquals("row 25", failure.getMessage());
        assertEquals(LongStream.range(0, 20).boxed().toList(), rows);
      }
    }
  }

  private static Void collect(FragmentExecution execution, List<Long> rows) {
    while (true) {
      Arrays.stream(LongBatches.drain(execution.next())).forEach(rows::add);
    }
  }

  /** The buffered rows satisfy the limit, so a failure behind them does not matter. */
  @Test
  void ignoresAFailureBehindASatisfiedLimit() throws Exception {
    OperatorFactory failing = failingAt(25, "row 25");
    OperatorFactory limit = new LimitOperatorFactory(LongBatches.SCHEMA, 0, 20);
    LocalPlan plan = TestingRuntimes.pipeline(failing, BUFFERING, limit);
    for (int run = 0; run < 20; run++) {
      LocalPlan scanning = TestFragmentScan.scanning(plan, 1);
      TestingScan scan = TestingScan.of(2, 4, 10);
      try (FragmentExecution execution =
          runtime.execute(scanning, List.of(), List.of(scan), TaskEnvironment.NONE)) {
        long[] values = watch(() -> TestingRuntimes.drain(execution));
        assertArrayEquals(LongStream.range(0, 20).toArray(), values);
      }
      scan.assertClosed();
      PipelinePlan first = plan.pipelines().get(0);
      PipelinePlan single =
          new PipelinePlan(first.input(), first.transforms(), null, 1, first.ordered());
      LocalPlan reading = new LocalPlan(List.of(single), plan.outputSchema());
      try (FragmentExecution execution = execute(reading, source(8, 10))) {
        long[] values = watch(() -> TestingRuntimes.drain(execution));
        assertArrayEquals(LongStream.range(0, 20).toArray(), values);
      }
    }
  }

  /** A buffered row fails in a later operator, before a later row fails in an earlier operator. */
  @Test
  void failsBufferedRowsBeforeLaterOnes() throws Exception {
    OperatorFactory early = failingAt(25, "row 25");
    OperatorFactory late = failingAt(15, "row 15");
    OperatorFactory last = failingAt(3, "row 3");
    checkFails("row 15", TestingRuntimes.pipeline(early, BUFFERING, late));
    checkFails("row 3", TestingRuntimes.grouped(2, early, BUFFERING, late, BUFFERING, last));
  }

  private void checkFails(String message, LocalPlan plan) throws Exception {
    try (FragmentExecution execution = execute(plan, TestingScan.of(1, 3, 10))) {
      IllegalArgumentException failure =
          assertThrows(IllegalArgumentException.class, () -> drainWatched(execution));
      assertEquals(message, failure.getMessage());
    }
  }
}
