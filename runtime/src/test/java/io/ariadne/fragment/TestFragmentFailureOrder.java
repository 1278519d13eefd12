package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Which of several failures reaches the task, and after which output: as if one thread did it all.
 */
class TestFragmentFailureOrder extends AbstractTestFragment {
  private static final PipelineInput INPUT = new PipelineInput.TaskInput(0, 0, LongBatches.SCHEMA);

  /** Returns a source that fails after some batches. */
  private TestingSource failingAfter(int batchCount) {
    return new TestingSource(runtime.pool(), TestingRuntimes.batches(batchCount + 1, 10)) {
      @Override
      protected void beforeBatch(int index) {
        if (index == batchCount) {
          throw new IllegalArgumentException("input");
        }
      }
    };
  }

  @Test
  void deliversTheEarliestFailureAfterAllEarlierOutput() throws Exception {
    OperatorFactory failing =
        TestingOperator.mapping(
            values -> {
              long batch = values[0] / 10;
              FragmentTestFailures.pause(batch == 12 ? 30 : 0);
              if (batch >= 12 && batch % 2 == 0) {
                throw new IllegalArgumentException("batch " + batch);
              }
              return new long[][] {values};
            });
    for (int threads = 1; threads <= 4; threads++) {
      restart(RuntimeConfig.of(threads, 64 << 20));
      List<Long> rows = new ArrayList<>();
      try (FragmentExecution execution =
          execute(TestingRuntimes.pipeline(failing), source(20, 10))) {
        IllegalArgumentException failure =
            assertThrows(
                IllegalArgumentException.class, () -> watch(() -> collect(execution, rows)));
        assertEquals("batch 12", failure.getMessage());
      }
      assertEquals(LongStream.range(0, 120).boxed().toList(), rows);
      try (FragmentExecution execution =
          execute(TestingRuntimes.grouped(3, failing), source(20, 10))) {
        IllegalArgumentException failure =
            assertThrows(IllegalArgumentException.class, () -> drainWatched(execution));
        assertEquals("batch 12", failure.getMessage());
      }
    }
  }

  @Test
  void deliversABatchFailureBeforeAnInputFailure() throws Exception {
    OperatorFactory slow =
        TestingOperator.mapping(
            values -> {
              FragmentTestFailures.pause(30);
              throw new IllegalArgumentException("operator");
            });
    TestingSource failing =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(10, 10)) {
          @Override
          protected void beforeBatch(int index) {
            if (index == 1) {
              throw new IllegalArgumentException("input");
            }
          }
        };
    try (FragmentExecution execution = execute(TestingRuntimes.grouped(3, slow), failing)) {
      IllegalArgumentException failure =
          assertThrows(IllegalArgumentException.class, () -> drainWatched(execution));
      assertEquals("operator", failure.getMessage());
    }
  }

  private static Void collect(FragmentExecution execution, List<Long> rows) {
    for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
      Arrays.stream(LongBatches.drain(batch)).forEach(rows::add);
    }
    return null;
  }

  @Test
  void failsTheInputAfterBatchesThatWaitForADriver() throws Exception {
    OperatorFactory slow =
        TestingOperator.mapping(
            values -> {
              FragmentTestFailures.pause(10);
              return new long[][] {values};
            });
    restart(RuntimeConfig.of(1, 64 << 20).withInFlight(8, 1 << 20));
    List<Long> rows = new ArrayList<>();
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(slow), failingAfter(6))) {
      IllegalArgumentException failure =
          assertThrows(IllegalArgumentException.class, () -> watch(() -> collect(execution, rows)));
      assertEquals("input", failure.getMessage());
    }
    assertEquals(LongStream.range(0, 60).boxed().toList(), rows);
  }

  @Test
  void failsABatchThatWaitsForADriverBeforeTheInput() throws Exception {
    OperatorFactory slow =
        TestingOperator.mapping(
            values -> {
              FragmentTestFailures.pause(10);
              if (values[0] == 40) {
                throw new IllegalArgumentException("operator");
              }
              return new long[][] {values};
            });
    restart(RuntimeConfig.of(1, 64 << 20).withInFlight(8, 1 << 20));
    try (FragmentExecution execution = execute(TestingRuntimes.grouped(3, slow), failingAfter(6))) {
      IllegalArgumentException failure =
          assertThrows(IllegalArgumentException.class, () -> drainWatched(execution));
      assertEquals("operator", failure.getMessage());
    }
  }

  @Test
  void failsASinkAfterTheBatchesItHasYielded() throws Exception {
    OperatorFactory slow =
        TestingOperator.mapping(
            values -> {
              FragmentTestFailures.pause(20);
              throw new IllegalArgumentException("operator");
            });
    PipelinePlan.Sink sink =
        new PipelinePlan.Sink(1, context -> new FragmentTestFailures.FailingSink(context, 3));
    LocalPlan plan =
        new LocalPlan(
            List.of(
                new PipelinePlan(INPUT, List.of(), sink, PipelinePlan.ANY, true),
                new PipelinePlan(
                    new PipelineInput.SinkOutput(0),
                    List.of(new PipelinePlan.Transform(List.of(2), slow)),
                    null,
                    PipelinePlan.ANY,
                    true)),
            LongBatches.SCHEMA);
    try (FragmentExecution execution = execute(plan, source(3, 10))) {
      IllegalArgumentException failure =
          assertThrows(IllegalArgumentException.class, () -> drainWatched(execution));
      assertEquals("operator", failure.getMessage());
    }
  }

  @Test
  void deliversAFailureOfFinishAfterAllOutput() throws Exception {
    OperatorFactory failing =
        context ->
            new TestingOperator(context, values -> new long[][] {values}) {
              @Override
              public void finish() {
                throw new IllegalArgumentException("finish");
              }
            };
    restart(RuntimeConfig.of(1, 64 << 20).withInFlight(8, 1 << 20));
    List<Long> rows = new ArrayList<>();
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(failing), source(4, 10))) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              watch(
                  () -> {
                    while (true) {
                      Arrays.stream(LongBatches.drain(execution.next())).forEach(rows::add);
                      FragmentTestFailures.pause(20);
                    }
                  }));
    }
    assertEquals(LongStream.range(0, 40).boxed().toList(), rows);
  }
}
