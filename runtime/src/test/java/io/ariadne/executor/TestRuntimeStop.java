package io.ariadne.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.TestingBackend;
import io.ariadne.fragment.TestingOperator;
import io.ariadne.fragment.TestingRuntimes;
import io.ariadne.fragment.TestingSink;
import io.ariadne.fragment.TestingSource;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.pipeline.plan.LocalPlan;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stops a runtime beside fragments that start, run, yield and close. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TestRuntimeStop {
  private static final int CASES = Integer.getInteger("ariadne.test.cases", 200);
  private static final LocalPlan PASSING = TestingRuntimes.pipeline(TestingOperator.passing());

  private static TestingSource source(ExecutorRuntime runtime, int batchCount) {
    return new TestingSource(runtime.pool(), TestingRuntimes.batches(batchCount, 10));
  }

  private static FragmentExecution execute(ExecutorRuntime runtime, int batchCount) {
    return runtime.execute(PASSING, List.of(source(runtime, batchCount)), TaskEnvironment.NONE);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS), "the latch did not open");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a plan whose sink, which holds memory, is made slowly. */
  private static LocalPlan slowlyStarting(CountDownLatch starting, CountDownLatch go) {
    return TestingRuntimes.grouped(
        context -> {
          TestingSink sink = new TestingSink(context, 3);
          starting.countDown();
          await(go);
          return sink;
        });
  }

  @Test
  void waitsForAStartingFragment() throws Exception {
    ExecutorRuntime runtime = TestingRuntimes.start(1);
    CountDownLatch starting = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    LocalPlan slow = slowlyStarting(starting, go);
    TestingSource source = source(runtime, 1);
    CompletableFuture<FragmentExecution> task =
        CompletableFuture.supplyAsync(
            () -> runtime.execute(slow, List.of(source), TaskEnvironment.NONE));
    await(starting);
    CompletableFuture<Void> stop = CompletableFuture.runAsync(runtime::close);
    assertThrows(TimeoutException.class, () -> stop.get(50, TimeUnit.MILLISECONDS));
    go.countDown();
    stop.get();
    assertTrue(source.isClosed());
    assertEquals(0, runtime.pool().allocatedBytes());
    assertThrows(CancellationException.class, task.get()::next);
  }

  @Test
  void reportsAFragmentThatKeepsStarting() throws Exception {
    ExecutorRuntime runtime = TestingRuntimes.start(RuntimeConfig.of(1, 1 << 20).withTimes(20, 50));
    CountDownLatch starting = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    LocalPlan slow = slowlyStarting(starting, go);
    TestingSource source = source(runtime, 1);
    CompletableFuture<FragmentExecution> task =
        CompletableFuture.supplyAsync(
            () -> runtime.execute(slow, List.of(source), TaskEnvironment.NONE));
    await(starting);
    EngineException error = assertThrows(EngineException.class, runtime::close);
    assertTrue(error.getMessage().contains("1 fragments are starting"), error.getMessage());
    go.countDown();
    task.get().close();
    assertEquals(0, runtime.pool().allocatedBytes());
  }

  @Test
  void doesNotHangWithAHangingThread() throws Exception {
    ExecutorRuntime runtime = TestingRuntimes.start(RuntimeConfig.of(1, 1 << 20).withTimes(20, 50));
    CountDownLatch computing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    LocalPlan stuck =
        TestingRuntimes.pipeline(
            TestingOperator.mapping(
                values -> {
                  computing.countDown();
                  await(go);
                  return new long[][] {values};
                }));
    TestingSource waiting =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(2, 10)) {
          @Override
          protected void beforeBatch(int index) {
            if (index == 1) {
              await(computing);
            }
          }
        };
    FragmentExecution execution = runtime.execute(stuck, List.of(waiting), TaskEnvironment.NONE);
    CompletableFuture<RecordBatch> task = CompletableFuture.supplyAsync(execution::next);
    await(computing);
    EngineException error = assertThrows(EngineException.class, runtime::close);
    assertTrue(error.getMessage().contains("batch 0 at distance 0"), error.getMessage());
    go.countDown();
    assertThrows(ExecutionException.class, task::get);
    execution.close();
    assertEquals(0, runtime.pool().allocatedBytes());
  }

  @Test
  void waitsForOutputThatATaskHolds() throws Exception {
    ExecutorRuntime runtime = TestingRuntimes.start(1);
    FragmentExecution execution = execute(runtime, 5);
    RecordBatch held = execution.next();
    CompletableFuture<Void> stop = CompletableFuture.runAsync(runtime::close);
    assertThrows(TimeoutException.class, () -> stop.get(50, TimeUnit.MILLISECONDS));
    held.close();
    stop.get();
    assertThrows(CancellationException.class, execution::next);
  }

  @Test
  void waitsForOutputOfAClosedFragment() throws Exception {
    ExecutorRuntime runtime = TestingRuntimes.start(1);
    FragmentExecution execution = execute(runtime, 5);
    RecordBatch held = execution.next();
    execution.close();
    assertEquals(0, runtime.openFragmentCount());
    CompletableFuture<Void> stop = CompletableFuture.runAsync(runtime::close);
    assertThrows(TimeoutException.class, () -> stop.get(50, TimeUnit.MILLISECONDS));
    held.close();
    stop.get();
  }

  @Test
  void closesOtherFragmentsAfterAnErrorOfOneClose() {
    TestingBackend backend = new TestingBackend();
    ExecutorRuntime runtime =
        ExecutorRuntime.start(RuntimeConfig.of(1, 1 << 20), new SelectedBackend(backend, "test"));
    for (int i = 0; i < 4; i++) {
      TestingSource broken =
          new TestingSource(runtime.pool(), List.of()) {
            @Override
            public void close() {
              throw new AssertionError("planned");
            }
          };
      runtime.execute(PASSING, List.of(broken), TaskEnvironment.NONE);
    }
    runtime.close();
    assertEquals(0, runtime.openFragmentCount());
    assertTrue(backend.isClosed());
  }

  /** Stops while two tasks start, drain and close one small fragment after the other. */
  @Test
  void stopsAtAnyMoment() throws Exception {
    long seed = Long.getLong("ariadne.test.seed", new Random().nextLong());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < CASES; i++) {
      ExecutorRuntime runtime = TestingRuntimes.start(1 + random.nextInt(2));
      List<CompletableFuture<Void>> tasks =
          List.of(
              CompletableFuture.runAsync(() -> runTasks(runtime, PASSING)),
              CompletableFuture.runAsync(() -> runTasks(runtime, TestingRuntimes.grouped(3))));
      LockSupport.parkNanos(random.nextInt(2_000_000));
      runtime.close();
      for (CompletableFuture<Void> task : tasks) {
        assertStopped(assertThrows(ExecutionException.class, task::get).getCause());
      }
      assertEquals(0, runtime.pool().allocatedBytes());
      assertEquals(0, runtime.openFragmentCount());
    }
  }

  /** Runs fragments until the runtime does not take any. */
  private static void runTasks(ExecutorRuntime runtime, LocalPlan plan) {
    while (true) {
      TestingSource source = source(runtime, 3);
      try (FragmentExecution execution =
          runtime.execute(plan, List.of(source), TaskEnvironment.NONE)) {
        TestingRuntimes.drain(execution);
      } finally {
        assertTrue(source.isClosed());
        assertFalse(source.wasClosedDuringPull());
      }
    }
  }

  private static void assertStopped(Throwable problem) {
    if (!(problem instanceof CancellationException)) {
      assertEquals(IllegalStateException.class, problem.getClass(), () -> text(problem));
      assertEquals("the runtime is closed", problem.getMessage());
    }
  }

  private static String text(Throwable problem) {
    return problem + " at " + List.of(problem.getStackTrace());
  }
}
