package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Pipelines that have enough before their input ends. */
class TestFragmentLimit extends AbstractTestFragment {
  private static final int ROWS = 25;

  /** Returns a plan that yields the first rows of its input. */
  private static LocalPlan limit(CountDownLatch reached) {
    PipelinePlan.Transform limit =
        new PipelinePlan.Transform(
            List.of(1), context -> new FragmentTestFailures.Limit(context, ROWS, reached));
    PipelineInput input = new PipelineInput.TaskInput(0, 0, LongBatches.SCHEMA);
    PipelinePlan pipeline = new PipelinePlan(input, List.of(limit), null, 1, true);
    return new LocalPlan(List.of(pipeline), LongBatches.SCHEMA);
  }

  /** Returns a source whose fourth batch comes, or fails, well after the limit was reached. */
  private TestingSource late(CountDownLatch reached, boolean failing) {
    return new TestingSource(runtime.pool(), TestingRuntimes.batches(10, 10)) {
      @Override
      protected void beforeBatch(int index) {
        if (index == 3) {
          FragmentTestFailures.await(reached);
          FragmentTestFailures.pause(50);
          if (failing) {
            throw new IllegalArgumentException("planned");
          }
        }
      }
    };
  }

  @Test
  void endsThePull() throws Exception {
    TestingSource source = source(1000, 10);
    try (FragmentExecution execution = execute(limit(new CountDownLatch(1)), source)) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, ROWS).toArray(), values);
    }
    assertTrue(source.pulled() < 20, "pulled " + source.pulled());
  }

  @Test
  void dropsTheBatchThatWasPulledMeanwhile() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    try (FragmentExecution execution = execute(limit(reached), late(reached, false))) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, ROWS).toArray(), values);
    }
  }

  @Test
  void ignoresAnInputThatFailsMeanwhile() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    try (FragmentExecution execution = execute(limit(reached), late(reached, true))) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, ROWS).toArray(), values);
    }
  }

  @Test
  void ignoresAnInputThatHasFailedBefore() throws Exception {
    TestingSource failing =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(10, 10)) {
          @Override
          protected void beforeBatch(int index) {
            if (index == 3) {
              throw new IllegalArgumentException("planned");
            }
          }
        };
    LocalPlan plan = limit(new CountDownLatch(1));
    PipelinePlan.Transform slow =
        new PipelinePlan.Transform(
            List.of(2),
            TestingOperator.mapping(
                values -> {
                  FragmentTestFailures.pause(10);
                  return new long[][] {values};
                }));
    PipelinePlan limited = plan.pipelines().get(0);
    PipelinePlan slowed =
        new PipelinePlan(
            limited.input(), List.of(slow, limited.transforms().get(0)), null, 1, true);
    try (FragmentExecution execution =
        execute(new LocalPlan(List.of(slowed), LongBatches.SCHEMA), failing)) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, ROWS).toArray(), values);
    }
  }
}
