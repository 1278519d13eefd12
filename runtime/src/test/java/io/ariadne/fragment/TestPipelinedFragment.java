package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a fragment yields, on which threads and within which bounds. */
class TestPipelinedFragment extends AbstractTestFragment {
  private static final Pattern BYTES_IN_FLIGHT = Pattern.compile("batches of ([0-9]+) bytes");

  @Test
  void keepsOrderThroughParallelTransforms() throws Exception {
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
  void passesTheComputeThreadCountToOperatorsAndSinks() throws Exception {
    restart(RuntimeConfig.of(3, 64 << 20));
    Set<Integer> counts = ConcurrentHashMap.newKeySet();
    AtomicInteger contexts = new AtomicInteger();
    OperatorFactory noting =
        context -> {
          contexts.incrementAndGet();
          counts.add(context.threadCount());
          return new TestingOperator(context, values -> new long[][] {values});
        };
    SinkOperatorFactory sink =
        context -> {
          contexts.incrementAndGet();
          counts.add(context.threadCount());
          return new TestingSink(context, 2);
        };
    try (FragmentExecution execution =
        execute(TestingRuntimes.grouped(sink, noting), source(5, 10))) {
      drainWatched(execution);
    }
    assertTrue(contexts.get() >= 2);
    assertEquals(Set.of(3), counts);
  }

  /** As pairs of a spilled join: there is one when it asks, and none when it comes to take it. */
  @Test
  void toleratesOutputThatAnotherDriverTakes() throws Exception {
    OperatorFactory losing =
        context ->
            new TestingOperator(context, values -> new long[][] {values}) {
              private int races = 3;

              @Override
              public RecordBatch getOutput() {
                RecordBatch batch = super.getOutput();
                races -= batch == null && super.isFinished() ? 1 : 0;
                return batch;
              }

              @Override
              public boolean isFinished() {
                return super.isFinished() && races <= 0;
              }
            };
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(losing), source(20, 10))) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, 200).toArray(), values);
    }
  }

  /** An operator that neither ends nor waits is told of, not waited for. */
  @Test
  void reportsAnOperatorThatNeverEnds() {
    restart(RuntimeConfig.of(2, 64 << 20).withTimes(200, 10_000));
    OperatorFactory stuck =
        context ->
            new TestingOperator(context, values -> new long[][] {values}) {
              @Override
              public boolean isFinished() {
                return false;
              }
            };
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(stuck), source(2, 10))) {
      EngineException e =
          assertThrows(EngineException.class, () -> watch(() -> TestingRuntimes.drain(execution)));
      assertTrue(e.getMessage().contains("yields no output and is not blocked"), e::getMessage);
    }
  }

  @Test
  void usesSeveralThreadsForOneInput() throws Exception {
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
  void yieldsTheSameRowsForAnyThreadCount() throws Exception {
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
  void finishesLocalStatesInParallel() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    SinkOperatorFactory sink =
        context ->
            new TestingSink(context, 7)
                .onLocalFinish(
                    () -> {
                      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                      FragmentTestFailures.pause(20);
                      inside.decrementAndGet();
                    });
    OperatorFactory slow =
        TestingOperator.mapping(
            values -> {
              FragmentTestFailures.pause(2);
              return new long[][] {values};
            });
    try (FragmentExecution execution =
        execute(TestingRuntimes.grouped(sink, slow), source(40, 10))) {
      long[] rows = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(FragmentModel.grouped(LongStream.range(0, 400), 7), rows);
    }
    assertEquals(2, most.get(), "states that finished at once");
  }

  @Test
  void finishesLocalStatesWithoutTransforms() throws Exception {
    AtomicInteger steps = new AtomicInteger();
    SinkOperatorFactory sink =
        context -> new TestingSink(context, 7).onLocalFinish(steps::incrementAndGet);
    for (int batches = 0; batches <= 40; batches += 20) {
      steps.set(0);
      try (FragmentExecution execution =
          execute(TestingRuntimes.grouped(sink), source(batches, 10))) {
        long[] rows = watch(() -> TestingRuntimes.drain(execution));
        assertArrayEquals(FragmentModel.grouped(LongStream.range(0, batches * 10), 7), rows);
      }
      assertEquals(0, steps.get() % 3, "steps of whole ends");
      assertEquals(batches > 0, steps.get() > 0, "whether a state finished");
    }
  }

  @Test
  void pausesADriverOnBackPressure() throws Exception {
    long limit = 8 << 10;
    restart(RuntimeConfig.of(2, 64 << 20).withInFlight(4, limit));
    int rows = 128;
    OperatorFactory many =
        TestingOperator.mapping(
            values -> {
              long[][] outputs = new long[100][];
              Arrays.fill(outputs, values);
              return outputs;
            });
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(many), source(3, rows))) {
      long[] sums = new long[3];
      for (int i = 0; i < 300; i++) {
        long[] values = watch(() -> LongBatches.drain(execution.next()));
        sums[i / 100] += values[0];
        if (i % 60 == 0) {
          FragmentTestFailures.pause(10);
          Matcher matcher = BYTES_IN_FLIGHT.matcher(execution.diagnosis());
          assertTrue(matcher.find(), execution::diagnosis);
          long bytes = Long.parseLong(matcher.group(1));
          assertTrue(bytes <= limit + 4 * rows * Long.BYTES, bytes + " bytes in flight");
        }
      }
      assertArrayEquals(new long[] {0, 100 * rows, 200 * rows}, sums);
      assertNull(watch(execution::next));
    }
  }

  @Test
  void acceptsAnEmptyInput() throws Exception {
    try (FragmentExecution execution =
        execute(TestingRuntimes.grouped(7, TestingOperator.passing()), source(0, 0))) {
      assertNull(watch(execution::next));
    }
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(), source(0, 0))) {
      assertNull(watch(execution::next));
    }
  }

  @Test
  void finishesTransformsWithoutInput() throws Exception {
    OperatorFactory last =
        context ->
            new TestingOperator(context, values -> new long[][] {values}) {
              @Override
              public void finish() {
                addInput(LongBatches.of(context.allocator(), 0, 42));
                super.finish();
              }
            };
    for (int threads = 1; threads <= 3; threads++) {
      restart(RuntimeConfig.of(threads, 64 << 20));
      try (FragmentExecution execution = execute(TestingRuntimes.pipeline(last), source(0, 0))) {
        assertArrayEquals(new long[] {42}, watch(() -> TestingRuntimes.drain(execution)));
      }
      OperatorFactory passing = TestingOperator.passing();
      try (FragmentExecution execution =
          execute(TestingRuntimes.grouped(7, last, passing), source(0, 0))) {
        long[] rows = watch(() -> TestingRuntimes.drain(execution));
        assertArrayEquals(FragmentModel.grouped(LongStream.of(42), 7), rows);
      }
    }
  }

  @Test
  void returnsOutputBeforeItPullsASlowInput() throws Exception {
    CountDownLatch returned = new CountDownLatch(3);
    TestingSource slow =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(4, 10)) {
          @Override
          protected void beforeBatch(int index) {
            if (index == 0) {
              FragmentTestFailures.pause(1000);
            } else if (index == 3) {
              FragmentTestFailures.await(returned);
            } else {
              FragmentTestFailures.pause(500);
            }
          }
        };
    OperatorFactory passing = TestingOperator.passing();
    try (FragmentExecution execution = execute(TestingRuntimes.pipeline(passing), slow)) {
      for (int i = 0; i < 4; i++) {
        watch(execution::next).close();
        returned.countDown();
      }
      assertNull(watch(execution::next));
    }
  }

  @Test
  void limitsBatchesInFlight() throws Exception {
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
  void limitsBytesInFlight() throws Exception {
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
  void resumesABlockedOperator() throws Exception {
    OperatorFactory blocked = context -> new FragmentTestFailures.Blocking(context, 3L);
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(blocked, TestingOperator.passing()), source(20, 10))) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, 200).toArray(), values);
    }
  }

  @Test
  void entersTheEnvironmentOnRuntimeThreads() throws Exception {
    FragmentTestFailures.Environment environment =
        new FragmentTestFailures.Environment(new AtomicBoolean());
    Thread taskThread = Thread.currentThread();
    AtomicInteger outside = new AtomicInteger();
    OperatorFactory checking =
        TestingOperator.mapping(
            values -> {
              if (Thread.currentThread() != taskThread && !environment.isEntered()) {
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
  void refusesInputsOfOtherTypes() {
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
  void refusesASecondTaskThread() throws Exception {
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
}
