package io.ariadne.task;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.operator.OperatorFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
  void testFailureOfOperatorArrivesOnceUnchanged() throws Exception {
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
  void testEarliestFailureArrivesAfterAllEarlierOutput() throws Exception {
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
  void testFailureOfBatchComesBeforeThatOfTheInput() throws Exception {
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
  void testFailureOfInputArrivesOnce() throws Exception {
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
  void testFailingFragmentLeavesAnotherRunning() throws Exception {
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
  void testStuckOperatorIsAnError() throws Exception {
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
  void testFailingEnvironmentIsAFailureOfTheFragment() throws Exception {
    for (int i = 0; i < 3; i++) {
      int call = i;
      Thread pump = Thread.currentThread();
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
              failIf(call == 2 && Thread.currentThread() != pump);
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
