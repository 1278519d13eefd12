package io.ariadne.task;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.operator.OperatorFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pump and its pipelines with small operators; each test ends with no byte left. */
@Timeout(120)
class TestFragmentDriver {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private ExecutorRuntime runtime = TestingRuntimes.start(2);

  @AfterEach
  void stop() {
    runtime.close();
    assertEquals(0, runtime.pool().allocatedBytes());
  }

  private void restart(RuntimeConfig config) {
    runtime.close();
    runtime = TestingRuntimes.start(config);
  }

  private TestingSource source(int batchCount, int rowsPerBatch) {
    return new TestingSource(runtime.pool(), TestingRuntimes.batches(batchCount, rowsPerBatch));
  }

  private FragmentExecution execute(LocalPlan plan, TestingSource source) {
    return runtime.execute(plan, List.of(source), TaskEnvironment.NONE);
  }

  private <T> T watch(Callable<T> body) throws Exception {
    return Watchdog.watch(runtime, LIMIT, body);
  }

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
  void testKeepsOrderThroughParallelTransforms() throws Exception {
    OperatorFactory uneven =
        TestingOperator.mapping(
            values -> {
              FragmentTestFailures.pause(values[0] % 3);
              return new long[][] {{values[0]}, Arrays.copyOfRange(values, 1, values.length)};
            });
    TestingSource source = source(50, 10);
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(uneven), source)) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, 500).toArray(), values);
      assertNull(execution.next());
      assertEquals(500, execution.metrics().get(0).rows());
      assertEquals(50, execution.metrics().get(0).batches());
      assertEquals(500, execution.metrics().get(1).rows());
      assertEquals(100, execution.metrics().get(1).batches());
      assertTrue(execution.metrics().get(1).bytes() > 0);
      assertTrue(execution.metrics().get(1).nanos() > 0);
    }
    assertTrue(source.isClosed());
    assertFalse(source.wasPulledByOthers());
  }

  @Test
  void testSkewedInputUsesSeveralThreads() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    OperatorFactory slow =
        TestingOperator.mapping(
            values -> {
              threads.add(Thread.currentThread());
              most.accumulateAndGet(inside.incrementAndGet(), Math::max);
              FragmentTestFailures.pause(2);
              inside.decrementAndGet();
              return new long[][] {values};
            });
    try (FragmentExecution execution = execute(TestingRuntimes.grouped(5, slow), source(40, 10))) {
      watch(() -> TestingRuntimes.drain(execution));
    }
    assertTrue(threads.size() > 1, "threads that ran batches: " + threads);
    assertEquals(2, most.get(), "batches at once");
  }

  @Test
  void testSinkYieldsSameRowsForAnyThreadCount() throws Exception {
    for (int threads = 1; threads <= 4; threads++) {
      restart(RuntimeConfig.of(threads, 64 << 20));
      try (FragmentExecution execution =
          execute(TestingRuntimes.grouped(7, TestingOperator.passing()), source(33, 21))) {
        long[] rows = watch(() -> TestingRuntimes.drain(execution));
        assertArrayEquals(FragmentModel.grouped(LongStream.range(0, 33 * 21), 7), rows);
        assertEquals(7, execution.metrics().get(100).rows());
      }
    }
  }

  @Test
  void testEmptyInput() throws Exception {
    try (FragmentExecution execution =
        execute(TestingRuntimes.grouped(7, TestingOperator.passing()), source(0, 0))) {
      assertNull(watch(execution::next));
    }
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(), source(0, 0))) {
      assertNull(watch(execution::next));
    }
  }

  @Test
  void testBoundsBatchesInFlight() throws Exception {
    restart(RuntimeConfig.of(2, 64 << 20).withInFlight(4, 1 << 20));
    TestingSource source = source(100, 10);
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(TestingOperator.passing()), source)) {
      for (int taken = 1; taken <= 100; taken++) {
        watch(execution::next).close();
        assertTrue(source.pulled() <= taken + 4, source.pulled() + " pulled, " + taken + " taken");
      }
    }
  }

  @Test
  void testBoundsBytesInFlight() throws Exception {
    restart(RuntimeConfig.of(2, 64 << 20).withInFlight(1000, 3 * 80_000));
    TestingSource source = source(30, 10_000);
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(TestingOperator.passing()), source)) {
      for (int taken = 1; taken <= 30; taken++) {
        watch(execution::next).close();
        assertTrue(source.pulled() <= taken + 4, source.pulled() + " pulled, " + taken + " taken");
      }
    }
    assertTrue(runtime.pool().peakBytes() < 10 * 80_064, "peak " + runtime.pool().peakBytes());
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
  void testCloseBeforeTheEndFreesEverything() throws Exception {
    TestingSource source = source(100, 10);
    FragmentExecution execution =
        execute(TestingRuntimes.pipeline(TestingOperator.passing()), source);
    watch(execution::next).close();
    execution.close();
    execution.close();
    assertEquals(0, runtime.pool().allocatedBytes());
    assertTrue(source.isClosed());
    assertEquals(0, runtime.openFragmentCount());
    assertThrows(IllegalStateException.class, execution::next);
  }

  @Test
  void testCloseWaitsForRunningWork() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    AtomicBoolean left = new AtomicBoolean();
    AtomicReference<FragmentExecution> self = new AtomicReference<>();
    OperatorFactory slow =
        TestingOperator.mapping(
            values -> {
              entered.countDown();
              FragmentTestFailures.pause(100);
              left.set(true);
              return new long[][] {values};
            });
    TestingSource blocking =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(2, 10)) {
          @Override
          protected void beforeBatch(int index) {
            if (index == 1) {
              FragmentTestFailures.await(entered);
              self.get().cancel();
            }
          }
        };
    FragmentExecution execution = execute(TestingRuntimes.pipeline(slow), blocking);
    self.set(execution);
    assertThrows(CancellationException.class, () -> watch(execution::next));
    assertFalse(left.get());
    execution.close();
    assertTrue(left.get());
    assertEquals(0, runtime.pool().allocatedBytes());
  }

  @Test
  void testCancelFromAnotherThreadWakesThePump() throws Exception {
    OperatorFactory blocked = context -> new FragmentTestFailures.Blocking(context, null);
    FragmentExecution execution = execute(TestingRuntimes.pipeline(blocked), source(10, 10));
    Thread canceller = FragmentTestFailures.later(50, execution::cancel);
    assertThrows(CancellationException.class, () -> watch(execution::next));
    canceller.join();
    execution.close();
  }

  @Test
  void testKilledTaskStopsWithoutInterrupt() throws Exception {
    AtomicBoolean killed = new AtomicBoolean();
    FragmentTestFailures.Environment environment = new FragmentTestFailures.Environment(killed);
    OperatorFactory blocked = context -> new FragmentTestFailures.Blocking(context, null);
    FragmentExecution execution =
        runtime.execute(TestingRuntimes.pipeline(blocked), List.of(source(10, 10)), environment);
    Thread killer = FragmentTestFailures.later(50, () -> killed.set(true));
    assertThrows(CancellationException.class, () -> watch(execution::next));
    killer.join();
    execution.close();
    assertEquals(0, environment.depth());
  }

  @Test
  void testInterruptCancelsAndStaysSet() throws Exception {
    OperatorFactory blocked = context -> new FragmentTestFailures.Blocking(context, null);
    FragmentExecution execution = execute(TestingRuntimes.pipeline(blocked), source(10, 10));
    Thread test = Thread.currentThread();
    Thread interrupter = FragmentTestFailures.later(50, test::interrupt);
    assertThrows(CancellationException.class, execution::next);
    assertTrue(Thread.interrupted());
    interrupter.join();
    execution.close();
  }

  @Test
  void testCloseFromAnotherThreadWaitsForThePump() throws Exception {
    CountDownLatch pulling = new CountDownLatch(1);
    TestingSource blocking =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(3, 10)) {
          @Override
          protected void beforeBatch(int index) {
            if (index == 2) {
              pulling.countDown();
              FragmentTestFailures.pause(100);
            }
          }
        };
    FragmentExecution execution = execute(TestingRuntimes.grouped(3), blocking);
    AtomicReference<Throwable> problem = new AtomicReference<>();
    Thread closer =
        new Thread(
            () -> {
              try {
                FragmentTestFailures.await(pulling);
                execution.close();
              } catch (Throwable t) {
                problem.set(t);
              }
            });
    closer.start();
    assertThrows(CancellationException.class, () -> drainWatched(execution));
    closer.join();
    assertNull(problem.get());
    assertFalse(blocking.wasClosedDuringPull());
    assertEquals(0, runtime.pool().allocatedBytes());
  }

  @Test
  void testInputMayCloseTheFragmentItFeeds() throws Exception {
    AtomicReference<FragmentExecution> self = new AtomicReference<>();
    TestingSource suicidal =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(5, 10)) {
          @Override
          protected void beforeBatch(int index) {
            if (index == 3) {
              self.get().close();
            }
          }
        };
    FragmentExecution execution = execute(TestingRuntimes.grouped(3), suicidal);
    self.set(execution);
    assertThrows(CancellationException.class, () -> drainWatched(execution));
    assertEquals(0, runtime.pool().allocatedBytes());
    assertTrue(suicidal.isClosed());
  }

  @Test
  void testOwnTaskMayNotClose() throws Exception {
    AtomicReference<FragmentExecution> self = new AtomicReference<>();
    OperatorFactory closing =
        TestingOperator.mapping(
            values -> {
              self.get().close();
              return new long[][] {values};
            });
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(closing), source(3, 10))) {
      self.set(execution);
      assertThrows(IllegalStateException.class, () -> drainWatched(execution));
    }
  }

  @Test
  void testTaskThatStartsAfterTheEndDoesNothing() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    AtomicReference<FragmentExecution> self = new AtomicReference<>();
    CountDownLatch freed = new CountDownLatch(1);
    Thread pump = Thread.currentThread();
    TaskEnvironment late =
        new FragmentTestFailures.Environment(new AtomicBoolean()) {
          @Override
          public boolean isCancelled() {
            if (Thread.currentThread() != pump) {
              taken.countDown();
              FragmentTestFailures.await(freed);
            }
            return false;
          }
        };
    TestingSource failing =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(2, 10)) {
          @Override
          protected void beforeBatch(int index) {
            if (index == 1) {
              FragmentTestFailures.await(taken);
              self.get().cancel();
            }
          }
        };
    FragmentExecution execution =
        runtime.execute(TestingRuntimes.grouped(3), List.of(failing), late);
    self.set(execution);
    assertThrows(CancellationException.class, () -> watch(execution::next));
    execution.close();
    freed.countDown();
  }

  @Test
  void testCancelWhileASinkYieldsFreesTheBatch() throws Exception {
    AtomicReference<FragmentExecution> self = new AtomicReference<>();
    PipelinePlan.Sink sink =
        new PipelinePlan.Sink(1, context -> new TestingSink(context, 3, () -> self.get().cancel()));
    PipelineInput input = new PipelineInput.TaskInput(0, 0, LongBatches.SCHEMA);
    PipelineInput output = new PipelineInput.SinkOutput(0);
    LocalPlan plan =
        new LocalPlan(
            List.of(
                new PipelinePlan(input, List.of(), sink, PipelinePlan.ANY, true),
                new PipelinePlan(output, List.of(), null, PipelinePlan.ANY, true)),
            LongBatches.SCHEMA);
    FragmentExecution execution = execute(plan, source(3, 10));
    self.set(execution);
    assertThrows(CancellationException.class, () -> watch(execution::next));
    execution.close();
    assertEquals(0, runtime.pool().allocatedBytes());
  }

  @Test
  void testBlockedOperatorGoesOnLater() throws Exception {
    OperatorFactory blocked = context -> new FragmentTestFailures.Blocking(context, 3L);
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(blocked, TestingOperator.passing()), source(20, 10))) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, 200).toArray(), values);
    }
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
  void testSaturatedOperatorEndsThePull() throws Exception {
    TestingSource source = source(1000, 10);
    PipelinePlan.Transform limit =
        new PipelinePlan.Transform(
            List.of(1), context -> new FragmentTestFailures.Limit(context, 25));
    PipelinePlan pipeline =
        new PipelinePlan(
            new PipelineInput.TaskInput(0, 0, LongBatches.SCHEMA), List.of(limit), null, 1, true);
    LocalPlan plan = new LocalPlan(List.of(pipeline), LongBatches.SCHEMA);
    try (FragmentExecution execution = execute(plan, source)) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, 25).toArray(), values);
    }
    assertTrue(source.pulled() < 20, "pulled " + source.pulled());
  }

  @Test
  void testEnvironmentSurroundsWorkOnRuntimeThreads() throws Exception {
    FragmentTestFailures.Environment environment =
        new FragmentTestFailures.Environment(new AtomicBoolean());
    Thread pump = Thread.currentThread();
    AtomicInteger outside = new AtomicInteger();
    OperatorFactory checking =
        TestingOperator.mapping(
            values -> {
              if (Thread.currentThread() != pump && !environment.isEntered()) {
                outside.incrementAndGet();
              }
              FragmentTestFailures.pause(1);
              return new long[][] {values};
            });
    try (FragmentExecution execution =
        runtime.execute(
            TestingRuntimes.grouped(3, checking), List.of(source(50, 10)), environment)) {
      watch(() -> TestingRuntimes.drain(execution));
    }
    assertEquals(0, outside.get());
    assertEquals(0, environment.depth());
    assertTrue(environment.entered() > 0);
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

  @Test
  void testRefusesInputsOfOtherTypes() {
    PipelineInput input =
        new PipelineInput.TaskInput(
            0, 0, Schema.of(new Field("value", PrimitiveType.INT32, false)));
    PipelinePlan pipeline = new PipelinePlan(input, List.of(), null, PipelinePlan.ANY, true);
    LocalPlan plan = new LocalPlan(List.of(pipeline), LongBatches.SCHEMA);
    TestingSource source = source(1, 1);
    assertThrows(IllegalArgumentException.class, () -> execute(plan, source));
    assertTrue(source.isClosed());
    assertThrows(
        IllegalArgumentException.class,
        () -> runtime.execute(TestingRuntimes.pipeline(), List.of(), TaskEnvironment.NONE));
  }

  @Test
  void testRefusesSecondPump() throws Exception {
    CountDownLatch pulling = new CountDownLatch(1);
    CountDownLatch refused = new CountDownLatch(1);
    TestingSource blocking =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(1, 1)) {
          @Override
          protected void beforeBatch(int index) {
            pulling.countDown();
            FragmentTestFailures.await(refused);
          }
        };
    FragmentExecution execution = execute(TestingRuntimes.pipeline(), blocking);
    CompletableFuture<Throwable> second = new CompletableFuture<>();
    new Thread(
            () -> {
              FragmentTestFailures.await(pulling);
              try {
                execution.next();
              } catch (Throwable t) {
                second.complete(t);
              }
              refused.countDown();
            })
        .start();
    try (RecordBatch batch = watch(execution::next)) {
      assertEquals(1, batch.rowCount());
    }
    assertEquals(IllegalStateException.class, second.get().getClass());
    execution.close();
  }

  private void drainWatched(FragmentExecution execution) throws Exception {
    watch(() -> TestingRuntimes.drain(execution));
  }
}
