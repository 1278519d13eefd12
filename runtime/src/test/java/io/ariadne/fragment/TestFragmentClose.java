package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.compute.ComputeExecutor;
import io.ariadne.fragment.control.FragmentLimits;
import io.ariadne.fragment.control.FragmentSettings;
import io.ariadne.fragment.control.SharedResources;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.fragment.memory.PeakHistories;
import io.ariadne.fragment.memory.SplitMemory;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import io.ariadne.spill.SpillSpace;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests closing, cancelling, killing and interrupting a fragment at any point. */
class TestFragmentClose extends AbstractTestFragment {
  @Test
  void freesEverythingWhenClosedBeforeTheEnd() throws Exception {
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
  void waitsForRunningWork() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    AtomicBoolean left = new AtomicBoolean();
    AtomicReference<FragmentExecution> self = new AtomicReference<>();
    OperatorFactory slow =
        TestingOperator.mapping(
            values -> {
              entered.countDown();
              FragmentTestFailures.awaitWait("the end of running work");
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
  void wakesTheTaskThreadWhenCancelled() throws Exception {
    OperatorFactory blocked = context -> new FragmentTestFailures.Blocking(context, null);
    FragmentExecution execution = execute(TestingRuntimes.pipeline(blocked), source(10, 10));
    Thread canceller = FragmentTestFailures.later(50, execution::cancel);
    assertThrows(CancellationException.class, () -> watch(execution::next));
    canceller.join();
    execution.close();
  }

  @Test
  void stopsAKilledTaskWithoutAnInterrupt() throws Exception {
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
  void cancelsOnAnInterruptAndKeepsItSet() throws Exception {
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
  void waitsForTheTaskThread() throws Exception {
    CountDownLatch pulling = new CountDownLatch(1);
    TestingSource blocking =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(3, 10)) {
          @Override
          protected void beforeBatch(int index) {
            if (index == 2) {
              pulling.countDown();
              FragmentTestFailures.awaitWait("the end of running work");
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
  void letsAnInputCloseItsFragment() throws Exception {
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
  void letsAnInputCloseTheFragmentThatClosesIt() throws Exception {
    AtomicReference<FragmentExecution> self = new AtomicReference<>();
    TestingSource loyal =
        new TestingSource(runtime.pool(), TestingRuntimes.batches(3, 10)) {
          @Override
          public void close() {
            super.close();
            self.get().close();
          }
        };
    FragmentExecution execution = execute(TestingRuntimes.pipeline(), loyal);
    self.set(execution);
    watch(execution::next).close();
    Thread closer = new Thread(execution::close);
    closer.setDaemon(true);
    closer.start();
    closer.join(10_000);
    assertFalse(closer.isAlive(), "close waits for itself");
    assertTrue(loyal.isClosed());
  }

  @Test
  void closesTheRestAfterAnErrorOfOneClose() throws Exception {
    AssertionError planned = new AssertionError("planned");
    OperatorFactory broken =
        context ->
            new TestingOperator(context, values -> new long[][] {values}) {
              @Override
              public void close() {
                super.close();
                throw planned;
              }
            };
    TestingSource source = source(30, 10);
    FragmentExecution execution = execute(TestingRuntimes.pipeline(broken), source);
    watch(execution::next).close();
    assertSame(planned, assertThrows(AssertionError.class, execution::close));
    assertTrue(source.isClosed());
    assertEquals("", runtime.pool().leakReport());
  }

  @Test
  void returnsFromTheSecondCloseAfterTheFirst() throws Exception {
    CountDownLatch closing = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (ComputeExecutor executor = new ComputeExecutor("close", 1);
        ComputeExecutor preload = new ComputeExecutor("close-preload", 1);
        Backend backend = new TestingBackend()) {
      FragmentSettings settings =
          new FragmentSettings(
              executor,
              runtime.pool(),
              runtime.pool(),
              backend,
              new FragmentLimits(1, 1, 1000),
              new SharedResources(preload, new SplitMemory(1), new PeakHistories()),
              SpillSpace.unmoved(runtime.pool().tier()),
              SpillSpace.unmoved(runtime.pool().tier()),
              0);
      FragmentExecution execution =
          PipelinedFragment.start(
              TestingRuntimes.pipeline(),
              List.of(source(1, 1)),
              List.of(),
              TaskEnvironment.NONE,
              settings,
              closed -> {
                closing.countDown();
                FragmentTestFailures.await(release);
              });
      Thread first = new Thread(execution::close);
      first.start();
      FragmentTestFailures.await(closing);
      Thread second = new Thread(execution::close);
      second.start();
      second.join(50);
      assertTrue(second.isAlive(), "the second close returned before the first");
      release.countDown();
      first.join();
      second.join();
    }
  }

  @Test
  void refusesToBeClosedByOwnWork() throws Exception {
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
  void ignoresWorkThatStartsAfterTheEnd() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    AtomicReference<FragmentExecution> self = new AtomicReference<>();
    CountDownLatch freed = new CountDownLatch(1);
    Thread taskThread = Thread.currentThread();
    TaskEnvironment late =
        new FragmentTestFailures.Environment(new AtomicBoolean()) {
          @Override
          public boolean isCancelled() {
            if (Thread.currentThread() != taskThread) {
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
  void freesTheBatchOfASinkWhenCancelled() throws Exception {
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

  /** A sink that notes when it is closed. */
  private static final class NotedSink extends TestingSink {
    private final String name;
    private final List<String> closed;

    NotedSink(OperatorContext context, String name, List<String> closed) {
      super(context, 3);
      this.name = name;
      this.closed = closed;
    }

    @Override
    public void close() {
      closed.add(name);
      super.close();
    }
  }

  /** What an earlier pipeline has built outlives the pipelines that read it. */
  @Test
  void closesPipelinesFromTheLastToTheFirst() {
    List<String> closed = new CopyOnWriteArrayList<>();
    LocalPlan plan =
        new LocalPlan(
            List.of(
                pipeline(new PipelineInput.TaskInput(0, 0, LongBatches.SCHEMA), "first", closed),
                pipeline(new PipelineInput.SinkOutput(0), "second", closed),
                new PipelinePlan(
                    new PipelineInput.SinkOutput(1), List.of(), null, PipelinePlan.ANY, true)),
            LongBatches.SCHEMA);
    execute(plan, source(1, 10)).close();
    assertEquals(List.of("second", "first"), closed);
  }

  private static PipelinePlan pipeline(PipelineInput input, String name, List<String> closed) {
    PipelinePlan.Sink sink =
        new PipelinePlan.Sink(100, context -> new NotedSink(context, name, closed));
    return new PipelinePlan(input, List.of(), sink, PipelinePlan.ANY, true);
  }
}
