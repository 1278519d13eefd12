package io.ariadne.executor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.backend.ProcessBackend;
import io.ariadne.backend.cuda.CudaBackend;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.TestingBackend;
import io.ariadne.fragment.TestingOperator;
import io.ariadne.fragment.TestingRuntimes;
import io.ariadne.fragment.TestingSource;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.pipeline.plan.LocalPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TestExecutorRuntime {
  private static final LocalPlan PASSING = TestingRuntimes.pipeline(TestingOperator.passing());

  private static TestingSource source(ExecutorRuntime runtime, int batchCount) {
    return new TestingSource(runtime.pool(), TestingRuntimes.batches(batchCount, 10));
  }

  private static long threadsNamed(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .count();
  }

  @Test
  void leavesNoThreadAndNoMemoryAfterTwentyRuntimes() {
    for (int i = 0; i < 20; i++) {
      TestingBackend backend = new TestingBackend();
      ExecutorRuntime runtime =
          ExecutorRuntime.start(RuntimeConfig.of(2, 1 << 20), new SelectedBackend(backend, "test"));
      assertEquals(2, threadsNamed("ariadne-compute"));
      try (FragmentExecution execution =
          runtime.execute(PASSING, List.of(source(runtime, 20)), TaskEnvironment.NONE)) {
        assertArrayEquals(LongStream.range(0, 200).toArray(), TestingRuntimes.drain(execution));
      }
      runtime.close();
      runtime.close();
      assertTrue(backend.isClosed());
      assertEquals(0, runtime.pool().allocatedBytes());
      assertEquals(0, threadsNamed("ariadne"));
    }
  }

  /** A service of the process's back end; records whether that is open at the service's end. */
  private record BackendUser(TestingBackend backend, List<Boolean> isClosedAtEnd)
      implements AutoCloseable {
    @Override
    public void close() {
      isClosedAtEnd.add(backend.isClosed());
    }
  }

  @Test
  void lendsItsBackendToServicesThatEndBefore() {
    TestingBackend backend = new TestingBackend();
    Optional<ProcessBackend> before = ProcessBackend.current();
    ExecutorRuntime runtime =
        ExecutorRuntime.start(RuntimeConfig.of(1, 1 << 20), new SelectedBackend(backend, "test"));
    ProcessBackend process = ProcessBackend.current().orElseThrow();
    assertSame(backend, process.backend());
    BackendUser user =
        process.service(BackendUser.class, made -> new BackendUser(backend, new ArrayList<>()));
    runtime.close();
    assertEquals(List.of(false), user.isClosedAtEnd());
    assertTrue(backend.isClosed());
    assertEquals(before, ProcessBackend.current());
  }

  @Test
  void cancelsFragmentsInUseWhenStopped() throws Exception {
    ExecutorRuntime runtime = TestingRuntimes.start(2);
    CountDownLatch pulling = new CountDownLatch(1);
    CompletableFuture<Void> task =
        CompletableFuture.runAsync(
            () -> {
              TestingSource endless =
                  new TestingSource(runtime.pool(), TestingRuntimes.batches(1_000_000, 1)) {
                    @Override
                    protected void beforeBatch(int index) {
                      pulling.countDown();
                    }
                  };
              FragmentExecution execution =
                  runtime.execute(PASSING, List.of(endless), TaskEnvironment.NONE);
              TestingRuntimes.drain(execution);
            });
    pulling.await();
    runtime.close();
    ExecutionException stopped = assertThrows(ExecutionException.class, task::get);
    assertEquals(CancellationException.class, stopped.getCause().getClass());
    assertEquals(0, runtime.pool().allocatedBytes());
  }

  @Test
  void reportsFragmentsThatStayInUse() throws Exception {
    TestingBackend backend = new TestingBackend();
    ExecutorRuntime runtime =
        ExecutorRuntime.start(
            RuntimeConfig.of(1, 1 << 20).withTimes(20, 100), new SelectedBackend(backend, "test"));
    CountDownLatch pulling = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Void> task =
        CompletableFuture.runAsync(
            () -> {
              TestingSource stuck =
                  new TestingSource(runtime.pool(), TestingRuntimes.batches(1, 1)) {
                    @Override
                    protected void beforeBatch(int index) {
                      pulling.countDown();
                      try {
                        release.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }
                  };
              runtime.execute(PASSING, List.of(stuck), TaskEnvironment.NONE).next();
            });
    pulling.await();
    EngineException error = assertThrows(EngineException.class, runtime::close);
    assertEquals(ErrorCode.INTERNAL, error.code());
    assertTrue(error.getMessage().contains("pulls input 0 for"), error.getMessage());
    assertFalse(backend.isClosed(), "a fragment may be in the middle of a call");
    release.countDown();
    assertThrows(ExecutionException.class, task::get);
    assertEquals(0, runtime.pool().allocatedBytes());
  }

  @Test
  void reportsLeaksWhenStopped() {
    ExecutorRuntime runtime = TestingRuntimes.start(RuntimeConfig.of(1, 1 << 20).withTimes(20, 50));
    MemoryBuffer leaked = runtime.pool().allocate(100);
    EngineException error = assertThrows(EngineException.class, runtime::close);
    assertTrue(error.getMessage().contains("128 bytes"), error.getMessage());
    leaked.close();
  }

  @Test
  void refusesWorkAfterStop() {
    ExecutorRuntime runtime = TestingRuntimes.start(1);
    TestingSource source = source(runtime, 1);
    runtime.close();
    assertThrows(
        IllegalStateException.class,
        () -> runtime.execute(PASSING, List.of(source), TaskEnvironment.NONE));
    assertTrue(source.isClosed());
  }

  @Test
  void closesEveryInputOfARefusedPlan() {
    ExecutorRuntime runtime = TestingRuntimes.start(1);
    TestingSource first =
        new TestingSource(runtime.pool(), List.of()) {
          @Override
          public void close() {
            super.close();
            throw new IllegalStateException("planned");
          }
        };
    TestingSource second = source(runtime, 1);
    assertThrows(
        NullPointerException.class,
        () -> runtime.submit(null, List.of(first, second), TaskEnvironment.NONE));
    assertTrue(first.isClosed());
    assertTrue(second.isClosed());
    runtime.close();
  }

  @Test
  void allowsOneRuntimePerProcess() {
    RuntimeConfig config = RuntimeConfig.of(1, 1 << 20).withBackend(BackendChoice.CPU);
    for (int i = 0; i < 3; i++) {
      assertFalse(ProcessRuntime.isStarted());
      assertThrows(IllegalStateException.class, ProcessRuntime::get);
      ExecutorRuntime runtime = ProcessRuntime.start(config);
      assertSame(runtime, ProcessRuntime.get());
      assertTrue(runtime.description().startsWith("back end cpu ("), runtime.description());
      assertThrows(IllegalStateException.class, () -> ProcessRuntime.start(config));
      ProcessRuntime.stop();
      ProcessRuntime.stop();
    }
    assertEquals(0, threadsNamed("ariadne"));
  }

  /** A kernel that does not end: the watchdog tells who waits for it and what the device does. */
  @Test
  void reportsTheWorkOfTheDevice() {
    TestingBackend backend = new TestingBackend("GPU 7 with at most 3 queued calls to do");
    RuntimeConfig config = RuntimeConfig.of(1, 1 << 20).withTimes(20, 10_000);
    CountDownLatch done = new CountDownLatch(1);
    LocalPlan plan =
        TestingRuntimes.pipeline(
            TestingOperator.mapping(
                values -> {
                  awaitDevice(done);
                  return new long[][] {values};
                }));
    try (ExecutorRuntime runtime =
            ExecutorRuntime.start(config, new SelectedBackend(backend, "test"));
        FragmentExecution execution =
            runtime.execute(plan, List.of(source(runtime, 1)), TaskEnvironment.NONE)) {
      CompletableFuture<long[]> task =
          CompletableFuture.supplyAsync(() -> TestingRuntimes.drain(execution));
      while (!runtime.lastReport().contains("waits for the kernel launched last (DEVICE)")) {
        Thread.onSpinWait();
      }
      assertTrue(runtime.lastReport().contains("\nGPU 7 with at most 3 queued calls to do\n"));
      done.countDown();
      assertEquals(10, task.join().length);
    }
  }

  private static void awaitDevice(CountDownLatch done) {
    Wait wait = ThreadRecord.current().await(WaitKind.DEVICE, "the kernel launched last", 0, null);
    try {
      done.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      wait.close();
    }
  }

  @Test
  void checksItsConfiguration() {
    assertThrows(IllegalArgumentException.class, () -> RuntimeConfig.of(0, 1));
    assertThrows(IllegalArgumentException.class, () -> RuntimeConfig.of(1, 0));
    RuntimeConfig config = RuntimeConfig.of(4, 800).withBackend(BackendChoice.CPU);
    assertEquals(BackendChoice.CPU, config.backend());
    assertEquals(50, config.limits().bytesInFlight());
    assertEquals(9, config.limits().batchesInFlight());
    assertEquals(128, config.withBatchRows(128).withTimes(1, 1).batchRows());
    for (int rows : new int[] {0, -64, 100}) {
      assertThrows(IllegalArgumentException.class, () -> config.withBatchRows(rows));
    }
  }

  @Test
  void saysInOneLineWhyThereIsNoGpu() {
    assumeTrue(CudaBackend.reasonAgainst(0).isPresent(), "this machine has a GPU");
    RuntimeConfig config = RuntimeConfig.of(4, 800).withBackend(BackendChoice.CUDA);
    EngineException error =
        assertThrows(EngineException.class, () -> ExecutorRuntime.start(config));
    assertEquals(ErrorCode.CONFIGURATION, error.code());
    assertEquals(1, error.getMessage().lines().count());
  }
}
