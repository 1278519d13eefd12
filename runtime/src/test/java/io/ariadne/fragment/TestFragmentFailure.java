package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.MemoryConfig;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How failures of operators, inputs and surroundings reach the task. */
class TestFragmentFailure extends AbstractTestFragment {
  private static OperatorFactory failing(Throwable problem, long value) {
    return TestingOperator.mapping(
        values -> {
          if (Arrays.stream(values).anyMatch(v -> v == value)) {
            throw FragmentTestFailures.<RuntimeException>unchecked(problem);
          }
          return new long[][] {values};
        });
  }

  @Test
  void deliversAnOperatorFailureOnceAndUnchanged() throws Exception {
    IOException checked = new IOException("planned");
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(failing(checked, 25)), source(10, 10))) {
      assertSame(checked, assertThrows(IOException.class, () -> drainWatched(execution)));
      IllegalStateException again =
          assertThrows(IllegalStateException.class, () -> watch(execution::next));
      assertSame(checked, again.getCause());
    }
  }

  @Test
  void unwrapsAFailureOfChainedFutures() throws Exception {
    IOException checked = new IOException("planned");
    OperatorFactory blocked =
        context ->
            new TestingOperator(context, values -> new long[][] {values}) {
              private final CompletableFuture<Void> first = new CompletableFuture<>();
              private CompletableFuture<Void> last = NOT_BLOCKED;

              @Override
              protected void onInput(long[] values) {
                last = first.thenRun(() -> {}).thenRun(() -> {});
                FragmentTestFailures.later(20, () -> first.completeExceptionally(checked));
              }

              @Override
              public CompletableFuture<Void> isBlocked() {
                return last;
              }
            };
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(blocked), source(1, 10))) {
      assertSame(checked, assertThrows(IOException.class, () -> drainWatched(execution)));
    }
  }

  /** A future that cannot even be asked to tell of its end, as where the heap is full. */
  @Test
  void failsWhenAWorkItemCannotBeParked() throws Exception {
    OutOfMemoryError error = new OutOfMemoryError("planned");
    OperatorFactory blocked =
        context ->
            new TestingOperator(context, values -> new long[][] {values}) {
              @Override
              public CompletableFuture<Void> isBlocked() {
                return new CompletableFuture<>() {
                  @Override
                  public CompletableFuture<Void> whenComplete(
                      BiConsumer<? super Void, ? super Throwable> action) {
                    throw error;
                  }
                };
              }
            };
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(blocked), source(1, 10))) {
      assertSame(error, assertThrows(OutOfMemoryError.class, () -> drainWatched(execution)));
    }
  }

  /** Returns what the task is told when no memory is left. */
  private String shortage(LocalPlan plan, SplitSourceFactory scan) throws Exception {
    try (FragmentExecution execution =
        runtime.execute(plan, List.of(source(3, 10)), List.of(scan), TaskEnvironment.NONE)) {
      EngineException error = assertThrows(EngineException.class, () -> drainWatched(execution));
      assertEquals(ErrorCode.OUT_OF_MEMORY, error.code());
      assertEquals(ErrorCode.OUT_OF_MEMORY, ((EngineException) error.getCause()).code());
      return error.getMessage();
    }
  }

  @Test
  void namesTheRequesterAndTheAdviceWhenOutOfMemory() throws Exception {
    restart(
        RuntimeConfig.of(2, 10_000)
            .withMemory(MemoryConfig.of(10_000).withAdvice("raise the setting")));
    OperatorFactory greedy =
        TestingOperator.mapping(
            values -> {
              runtime.pool().allocate(20_000).close();
              return new long[][] {values};
            });
    TestingScan scan = TestingScan.of(2, 2, 10);
    String operator = shortage(TestingRuntimes.pipeline(TestingOperator.passing(), greedy), scan);
    assertTrue(
        operator.matches("(?s)TestingOperator of node 2 for batch [0-2] of no task: cannot .*"),
        operator);
    assertTrue(operator.endsWith("; raise the setting"), operator);
    PipelineInput input = new PipelineInput.Scan(0, 0, LongBatches.SCHEMA);
    LocalPlan scanning =
        new LocalPlan(
            List.of(new PipelinePlan(input, List.of(), null, PipelinePlan.ANY, true)),
            LongBatches.SCHEMA);
    String split = shortage(scanning, TestingScan.of(2, 2, 2_000));
    assertTrue(split.startsWith("TestingScan$Source of node 0, split 0 of no task: "), split);
    String sink =
        shortage(
            TestingRuntimes.grouped(
                context -> new TestingSink(context, 3, () -> runtime.pool().allocate(20_000))),
            scan);
    assertTrue(sink.startsWith("TestingSink of node 100 of no task: cannot"), sink);
  }

  @Test
  void deliversAnInputFailureOnce() throws Exception {
    IllegalArgumentException planned = new IllegalArgumentException("planned");
    TestingSource source =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(10, 10)) {
          @Override
          protected void beforeBatch(int index) {
            if (index == 5) {
              throw planned;
            }
          }
        };
    try (FragmentExecution execution = execute(TestingRuntimes.grouped(3), source)) {
      assertSame(
          planned, assertThrows(IllegalArgumentException.class, () -> drainWatched(execution)));
    }
    assertTrue(source.isClosed());
  }

  @Test
  void freesEverythingWhenASinkFailsAfterItsOutput() throws Exception {
    PipelinePlan.Sink sink =
        new PipelinePlan.Sink(1, context -> new FragmentTestFailures.FailingSink(context, 2));
    PipelineInput input = new PipelineInput.TaskInput(0, 0, LongBatches.SCHEMA);
    PipelineInput output = new PipelineInput.SinkOutput(0);
    LocalPlan plan =
        new LocalPlan(
            List.of(
                new PipelinePlan(input, List.of(), sink, PipelinePlan.ANY, true),
                new PipelinePlan(output, List.of(), null, PipelinePlan.ANY, true)),
            LongBatches.SCHEMA);
    try (FragmentExecution execution = execute(plan, source(3, 10))) {
      assertThrows(UnsupportedOperationException.class, () -> drainWatched(execution));
    }
    assertEquals("", runtime.pool().leakReport());
  }

  @Test
  void keepsOtherFragmentsRunning() throws Exception {
    CompletableFuture<long[]> other = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try (FragmentExecution execution =
                  execute(TestingRuntimes.grouped(4, TestingOperator.passing()), source(200, 50))) {
                other.complete(TestingRuntimes.drain(execution));
              } catch (RuntimeException e) {
                other.completeExceptionally(e);
              }
            });
    thread.start();
    for (int i = 0; i < 20; i++) {
      try (FragmentExecution execution =
          execute(
              TestingRuntimes.pipeline(failing(new ArithmeticException(), 25)), source(10, 10))) {
        assertThrows(ArithmeticException.class, () -> drainWatched(execution));
      }
    }
    long[] rows = watch(() -> other.get(20, TimeUnit.SECONDS));
    assertArrayEquals(FragmentModel.grouped(LongStream.range(0, 10_000), 4), rows);
    thread.join();
  }

  @Test
  void failsWhenOutputCannotBeCopiedToTheHost() throws Exception {
    OperatorFactory device =
        context ->
            new TestingOperator(context, values -> new long[][] {values}) {
              @Override
              public RecordBatch getOutput() {
                RecordBatch output = super.getOutput();
                return output == null ? null : FragmentTestFailures.onDevice(output);
              }
            };
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(device), source(3, 10))) {
      IllegalStateException unreadable =
          assertThrows(IllegalStateException.class, () -> watch(execution::next));
      assertTrue(unreadable.getMessage().contains("DEVICE memory"), unreadable::getMessage);
      IllegalStateException again =
          assertThrows(IllegalStateException.class, () -> watch(execution::next));
      assertSame(unreadable, again.getCause());
    }
  }

  @Test
  void reportsAStuckOperator() throws Exception {
    OperatorFactory stuck =
        context ->
            new TestingOperator(context, values -> new long[][] {values}) {
              @Override
              public boolean needsInput() {
                return false;
              }
            };
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(stuck), source(3, 10))) {
      EngineException error = assertThrows(EngineException.class, () -> drainWatched(execution));
      assertEquals(ErrorCode.INTERNAL, error.code());
    }
  }

  @Test
  void failsWhenTheEnvironmentFails() throws Exception {
    for (int i = 0; i < 3; i++) {
      int call = i;
      Thread taskThread = Thread.currentThread();
      TaskEnvironment failing =
          new FragmentTestFailures.Environment(new AtomicBoolean()) {
            @Override
            public void enter() {
              failIf(call == 0);
              super.enter();
            }

            @Override
            public void exit() {
              super.exit();
              failIf(call == 1);
            }

            @Override
            public boolean isCancelled() {
              failIf(call == 2 && Thread.currentThread() != taskThread);
              return false;
            }

            private void failIf(boolean now) {
              if (now) {
                throw new UnsupportedOperationException("planned");
              }
            }
          };
      OperatorFactory slow =
          TestingOperator.mapping(
              values -> {
                FragmentTestFailures.pause(2);
                return new long[][] {values};
              });
      try (FragmentExecution execution =
          runtime.execute(TestingRuntimes.grouped(3, slow), List.of(source(50, 10)), failing)) {
        assertThrows(UnsupportedOperationException.class, () -> drainWatched(execution));
      }
    }
  }
}
