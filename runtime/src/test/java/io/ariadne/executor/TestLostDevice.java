package io.ariadne.executor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.LongBatches;
import io.ariadne.fragment.TestingRuntimes;
import io.ariadne.fragment.TestingSource;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.JoinNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A runtime whose device is lost: what runs on it fails, what comes after runs on the host. */
@Timeout(60)
class TestLostDevice {
  private static final int ROWS = 8192;
  private static final int BATCHES = 4;

  private final List<String> actions = new ArrayList<>();
  private final SimulatedBackend device = SimulatedBackend.open(SimulatedDevice.of(64 << 20));
  private final ExecutorRuntime runtime =
      ExecutorRuntime.start(
          RuntimeConfig.of(2, 64 << 20)
              .withDevice(
                  DeviceConfig.DEFAULT.withOnLoss(
                      new DeviceLossAction("the test continues", () -> actions.add("acted")))),
          new SelectedBackend(device, "test"));

  @AfterEach
  void stop() {
    runtime.tables().reclaim();
    MemoryUsage end = runtime.memoryUsage();
    assertEquals(0, end.hostBytes() + end.deviceBytes() + end.hostedBytes() + end.diskBytes());
    // Fails when memory of the device was not given back.
    runtime.close();
  }

  private TestingSource input() {
    return new TestingSource(runtime.pool(), TestingRuntimes.batches(BATCHES, ROWS));
  }

  private static PlanNode addFive() {
    Expression sum =
        new Call(
            Function.ADD,
            List.of(
                new ColumnReference(0, PrimitiveType.INT64, false),
                new Literal(5L, PrimitiveType.INT64)),
            PrimitiveType.INT64,
            false,
            EvaluationMode.LEGACY,
            ExpressionError.NO_ORIGIN);
    return new ProjectNode(
        1, new InputNode(0, 0, LongBatches.SCHEMA), List.of(sum), LongBatches.SCHEMA);
  }

  private long[] run() {
    try (FragmentExecution execution =
        runtime.submit(addFive(), List.of(input()), TaskEnvironment.NONE)) {
      return TestingRuntimes.drain(execution);
    }
  }

  private void assertRuns() {
    assertArrayEquals(LongStream.range(5, BATCHES * ROWS + 5).toArray(), run());
  }

  private String lose() {
    device.loseAfter(1);
    EngineException lost = assertThrows(EngineException.class, this::run);
    assertEquals(ErrorCode.DEVICE_LOST, lost.code());
    return lost.getMessage();
  }

  @Test
  void runsTheNextFragmentOnTheHost() {
    assertRuns();
    assertEquals("simulated", runtime.backend().name());
    assertTrue(runtime.description().contains("device memory"), runtime.description());
    assertTrue(runtime.memoryUsage().deviceLimit() > 0);
    String cause = lose();
    assertEquals(Optional.of(cause), runtime.lostDevice());
    assertEquals(List.of("acted"), actions);
    assertEquals(0, runtime.memoryUsage().deviceBytes());
    assertRuns();
    assertRuns();
    assertEquals(List.of("acted"), actions);
  }

  @Test
  void describesTheLoss() {
    String cause = lose();
    assertEquals("cpu", runtime.backend().name());
    assertEquals(MemoryTier.HOST, runtime.backend().tier());
    assertEquals(0, runtime.memoryUsage().deviceLimit());
    String line = runtime.description();
    assertTrue(line.startsWith("back end cpu ("), line);
    assertTrue(line.contains("; " + cause + "), 2 compute threads"), line);
    assertEquals(-1, line.indexOf("device memory"), line);
  }

  /** A fragment that has begun on the device fails; one beside it, prepared later, does not. */
  @Test
  void failsRunningFragments() {
    try (FragmentExecution begun =
        runtime.submit(addFive(), List.of(input()), TaskEnvironment.NONE)) {
      String cause = lose();
      assertRuns();
      EngineException failure = assertThrows(EngineException.class, begun::next);
      assertEquals(ErrorCode.DEVICE_LOST, failure.code());
      assertEquals(cause, failure.getMessage());
    }
  }

  private static JoinNode join() {
    return TableJoins.join(JoinKind.SEMI);
  }

  private TableLease lease(JoinNode join) {
    return lease(join, () -> {});
  }

  private TableLease lease(JoinNode join, Runnable beforeBatch) {
    SharedTables.Request request =
        new SharedTables.Request(
            "rows",
            join,
            () ->
                new TestingSource(
                    runtime.pool(), List.of(LongStream.range(0, 100).map(i -> 2 * i).toArray())) {
                  @Override
                  protected void beforeBatch(int index) {
                    if (index == 0) {
                      beforeBatch.run();
                    }
                  }
                },
            made -> {});
    return runtime.tables().lease(request, TaskEnvironment.NONE);
  }

  private void assertJoins(JoinNode join, TableLease table) {
    try (FragmentExecution execution = TableJoins.probe(runtime, join, table)) {
      assertArrayEquals(
          LongStream.range(0, 50).map(i -> 2 * i).toArray(), TestingRuntimes.drain(execution));
    }
  }

  @Test
  void doesNotShareTablesOfALostDevice() {
    JoinNode join = join();
    assertJoins(join, lease(join));
    TableLease before = lease(join);
    String cause = lose();
    TableLease after = lease(join);
    assertNotSame(before.table(), after.table());
    assertJoins(join, after);
    EngineException refused =
        assertThrows(EngineException.class, () -> TableJoins.probe(runtime, join, before));
    assertEquals(ErrorCode.DEVICE_LOST, refused.code());
    assertEquals(cause, refused.getMessage());
  }

  /** The task that makes a table fails with the device; one that waits makes it on the host. */
  @Test
  void buildsAwaitedTablesOnTheHost() throws Exception {
    CountDownLatch isAwaited = new CountDownLatch(1);
    CompletableFuture<TableLease> maker =
        CompletableFuture.supplyAsync(
            () ->
                lease(
                    join(),
                    () -> {
                      await(isAwaited);
                      device.loseAfter(0);
                    }));
    awaitDescription("being built");
    AtomicInteger made = new AtomicInteger();
    CompletableFuture<TableLease> waiter =
        CompletableFuture.supplyAsync(() -> lease(join(), made::incrementAndGet));
    awaitDescription("1 tasks wait");
    isAwaited.countDown();
    ExecutionException failed = assertThrows(ExecutionException.class, maker::get);
    assertEquals(ErrorCode.DEVICE_LOST, ((EngineException) failed.getCause()).code());
    TableLease table = waiter.get();
    assertEquals("cpu", table.backend().name());
    assertEquals(1, made.get());
    assertJoins(join(), table);
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

  @Test
  void refusesMemoryOfALostDevice() {
    lose();
    EngineException refused =
        assertThrows(
            EngineException.class,
            () -> device.memory(MemoryTier.DEVICE).orElseThrow().allocate(64));
    assertEquals(ErrorCode.DEVICE_LOST, refused.code());
  }
}
