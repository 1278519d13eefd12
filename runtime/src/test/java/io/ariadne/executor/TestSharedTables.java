package io.ariadne.executor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.BatchSource;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.TestingRuntimes;
import io.ariadne.fragment.TestingSource;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.plan.JoinNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the first task builds a table for all, and that idle tables are freed. */
@Timeout(60)
class TestSharedTables {
  private static final int TASKS = 8;
  private static final int ROWS = 1000;

  private final ExecutorRuntime runtime = ExecutorRuntime.start(RuntimeConfig.of(2, 64 << 20));
  private final ExecutorService tasks = Executors.newCachedThreadPool();
  private final AtomicInteger built = new AtomicInteger();
  private final AtomicInteger builtRows = new AtomicInteger();

  @AfterEach
  void stop() {
    tasks.shutdownNow();
    runtime.close();
    assertEquals(0, runtime.pool().allocatedBytes());
    assertTrue(runtime.tables().isTerminated());
  }

  /** Rows with even values. */
  private BatchSource rows(Runnable beforeBatch) {
    built.incrementAndGet();
    return new TestingSource(
        runtime.pool(), List.of(LongStream.range(0, ROWS).map(i -> 2 * i).toArray())) {
      @Override
      protected void beforeBatch(int index) {
        beforeBatch.run();
      }
    };
  }

  private TableLease lease(JoinNode join, Runnable beforeBatch, TaskEnvironment environment) {
    SharedTables.Request request =
        new SharedTables.Request(
            "rows",
            join,
            () -> rows(beforeBatch),
            execution -> builtRows.addAndGet(rowsOf(execution.metrics())));
    return runtime.tables().lease(request, environment);
  }

  private static int rowsOf(Map<Integer, NodeMetrics> gathered) {
    return (int) gathered.get(1).rows();
  }

  /** Joins 0 to 99. */
  private long[] run(JoinNode join, Runnable beforeBatch) {
    TableLease lease = lease(join, beforeBatch, TaskEnvironment.NONE);
    try (FragmentExecution execution = TableJoins.probe(runtime, join, lease)) {
      return TestingRuntimes.drain(execution);
    }
  }

  private static long[] evens() {
    return LongStream.range(0, 50).map(i -> 2 * i).toArray();
  }

  private static long[] odds() {
    return LongStream.range(0, 50).map(i -> 2 * i + 1).toArray();
  }

  @Test
  void buildsATableOnceForAllTasks() {
    List<CompletableFuture<long[]>> results = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      JoinNode join = TableJoins.join(i % 2 == 0 ? JoinKind.INNER : JoinKind.ANTI);
      results.add(CompletableFuture.supplyAsync(() -> run(join, () -> {}), tasks));
    }
    for (int i = 0; i < TASKS; i++) {
      assertArrayEquals(i % 2 == 0 ? evens() : odds(), results.get(i).join());
    }
    assertEquals(1, built.get());
    assertEquals(ROWS, builtRows.get());
    // a join that must know of nulls needs another table
    assertArrayEquals(odds(), run(TableJoins.join(JoinKind.NULL_AWARE_ANTI), () -> {}));
    assertEquals(2, built.get());
  }

  @Test
  void letsOtherTasksTryAfterAFailure() {
    CountDownLatch waiting = new CountDownLatch(1);
    AtomicInteger tries = new AtomicInteger();
    Runnable failsFirst =
        () -> {
          await(waiting);
          if (tries.getAndIncrement() == 0) {
            throw new IllegalArgumentException("the first");
          }
        };
    List<CompletableFuture<long[]>> results = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      results.add(
          CompletableFuture.supplyAsync(
              () -> run(TableJoins.join(JoinKind.INNER), failsFirst), tasks));
    }
    awaitDescription(TASKS - 1 + " tasks wait");
    waiting.countDown();
    int failed = 0;
    for (CompletableFuture<long[]> result : results) {
      try {
        assertArrayEquals(evens(), result.join());
      } catch (CompletionException e) {
        assertEquals("the first", e.getCause().getMessage());
        failed++;
      }
    }
    assertEquals(1, failed);
    assertEquals(2, built.get());
  }

  @Test
  void cancelsAWaitingTask() {
    CountDownLatch making = new CountDownLatch(1);
    CompletableFuture<long[]> maker =
        CompletableFuture.supplyAsync(
            () -> run(TableJoins.join(JoinKind.INNER), () -> await(making)), tasks);
    awaitDescription("being built by no task");
    TaskEnvironment cancelled =
        new TaskEnvironment() {
          @Override
          public void enter() {}

          @Override
          public void exit() {}

          @Override
          public boolean isCancelled() {
            return true;
          }

          @Override
          public String description() {
            return "cancelled";
          }
        };
    assertThrows(
        CancellationException.class,
        () -> lease(TableJoins.join(JoinKind.INNER), () -> {}, cancelled));
    making.countDown();
    assertArrayEquals(evens(), maker.join());
    assertEquals(1, built.get());
  }

  @Test
  void endsWaitsWhenTheRuntimeCloses() {
    CountDownLatch making = new CountDownLatch(1);
    CompletableFuture<long[]> maker =
        CompletableFuture.supplyAsync(
            () -> run(TableJoins.join(JoinKind.INNER), () -> await(making)), tasks);
    awaitDescription("being built");
    CompletableFuture<long[]> waiter =
        CompletableFuture.supplyAsync(() -> run(TableJoins.join(JoinKind.INNER), () -> {}), tasks);
    awaitDescription("1 tasks wait");
    CompletableFuture<Void> closing = CompletableFuture.runAsync(runtime::close, tasks);
    CompletionException refused = assertThrows(CompletionException.class, waiter::join);
    assertEquals("the runtime is closed", refused.getCause().getMessage());
    making.countDown();
    assertThrows(CompletionException.class, maker::join);
    closing.join();
  }

  @Test
  void freesIdleTables() throws InterruptedException {
    run(TableJoins.join(JoinKind.INNER), () -> {});
    run(TableJoins.join(JoinKind.INNER), () -> {});
    assertEquals(1, built.get());
    assertTrue(runtime.pool().allocatedBytes() > 0);
    long deadline = System.nanoTime() + 10 * SharedTables.IDLE_MILLIS * 1_000_000;
    while (runtime.pool().allocatedBytes() > 0 && System.nanoTime() < deadline) {
      Thread.sleep(10);
    }
    assertEquals(0, runtime.pool().allocatedBytes());
    assertArrayEquals(evens(), run(TableJoins.join(JoinKind.INNER), () -> {}));
    assertEquals(2, built.get());
  }

  @Test
  void freesIdleTablesWhenMemoryIsNeeded() {
    TableLease lease = lease(TableJoins.join(JoinKind.INNER), () -> {}, TaskEnvironment.NONE);
    assertEquals(0, runtime.tables().reclaim());
    TableLease second = lease(TableJoins.join(JoinKind.SEMI), () -> {}, TaskEnvironment.NONE);
    assertSame(lease.table(), second.table());
    lease.close();
    lease.close();
    assertEquals(0, runtime.tables().reclaim());
    assertEquals(ROWS, second.table().rowCount());
    second.close();
    assertTrue(runtime.tables().reclaim() >= ROWS * Long.BYTES);
    assertEquals(0, runtime.pool().allocatedBytes());
  }

  @Test
  void doesNotShareTablesOfMarkedRows() {
    assertThrows(
        IllegalArgumentException.class,
        () -> lease(TableJoins.join(JoinKind.FULL), () -> {}, TaskEnvironment.NONE));
  }

  private void awaitDescription(String part) {
    while (!runtime.diagnosis().contains(part)) {
      Thread.onSpinWait();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
