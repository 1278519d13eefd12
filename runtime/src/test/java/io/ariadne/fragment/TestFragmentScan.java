package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.WorkOwner;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scans, whose splits the compute threads drive. */
public class TestFragmentScan extends AbstractTestFragment {
  private static final PipelineInput SCAN = new PipelineInput.Scan(0, 0, LongBatches.SCHEMA);

  private static LocalPlan pipeline(int threads, OperatorFactory... factories) {
    return scanning(TestingRuntimes.pipeline(factories), threads);
  }

  private static LocalPlan grouped(int groups, OperatorFactory... factories) {
    return scanning(TestingRuntimes.grouped(groups, factories), PipelinePlan.ANY);
  }

  /** Returns a plan whose first pipeline scans instead. */
  public static LocalPlan scanning(LocalPlan plan, int threads) {
    List<PipelinePlan> pipelines = new ArrayList<>(plan.pipelines());
    PipelinePlan first = pipelines.get(0);
    pipelines.set(
        0, new PipelinePlan(SCAN, first.transforms(), first.sink(), threads, first.ordered()));
    return new LocalPlan(pipelines, plan.outputSchema());
  }

  private FragmentExecution execute(LocalPlan plan, TestingScan scan) {
    return runtime.execute(plan, List.of(), List.of(scan), TaskEnvironment.NONE);
  }

  private long[] collectUntilFailure(FragmentExecution execution, Class<? extends Throwable> kind)
      throws Exception {
    List<long[]> parts = new ArrayList<>();
    assertThrows(
        kind,
        () ->
            watch(
                () -> {
                  while (true) {
                    parts.add(LongBatches.drain(execution.next()));
                  }
                }));
    return parts.stream().flatMapToLong(Arrays::stream).toArray();
  }

  /** What a scan starts belongs to its fragment: it runs in the task's environment. */
  @Test
  void scansAreCreatedInTheNameOfTheirFragment() throws Exception {
    TestingScan scan = new TestingScan(LongBatches.SCHEMA, TestingScan.splits(1, 1, 1));
    AtomicReference<WorkOwner> owner = new AtomicReference<>();
    SplitSourceFactory factory =
        (context, counters) -> {
          owner.set(ThreadRecord.current().owner());
          return scan.create(context, counters);
        };
    LocalPlan plan = scanning(TestingRuntimes.pipeline(), 1);
    try (FragmentExecution execution =
        runtime.execute(plan, List.of(), List.of(factory), TaskEnvironment.NONE)) {
      assertNotNull(owner.get(), "no owner");
      assertNull(ThreadRecord.current().owner());
      assertEquals(LongBatches.SCHEMA, execution.schema());
    }
  }

  @Test
  void keepsOrderOnAnyNumberOfThreads() throws Exception {
    for (int threads = 1; threads <= 4; threads++) {
      restart(RuntimeConfig.of(threads, 64 << 20));
      TestingScan scan =
          new TestingScan(LongBatches.SCHEMA, TestingScan.splits(12, 5, 10)) {
            @Override
            protected void beforeBatch(int split, int batch) {
              FragmentTestFailures.pause((split * 7 + batch) % 3);
            }
          };
      try (FragmentExecution execution =
          execute(pipeline(PipelinePlan.ANY, TestingOperator.passing()), scan)) {
        long[] values = watch(() -> TestingRuntimes.drain(execution));
        assertArrayEquals(LongStream.range(0, 600).toArray(), values);
        assertEquals(600, execution.metrics().get(0).rows());
        assertEquals(60, execution.metrics().get(0).batches());
        assertEquals(12L, execution.metrics().get(0).extras().get("splits"));
        assertTrue(execution.metrics().get(0).bytes() > 0);
        assertTrue(execution.metrics().get(0).nanos() > TimeUnit.MILLISECONDS.toNanos(10));
        assertEquals(600, execution.metrics().get(1).rows());
      }
      scan.assertClosed();
    }
  }

  /** As on a device: operators wait, and the pipeline goes on with twice as many drivers. */
  @Test
  void driversThatWaitLeaveTheirThreadsToOthers() throws Exception {
    int threads = 2;
    restart(RuntimeConfig.of(threads, 64 << 20));
    TestingScan scan = TestingScan.of(24, 1, 10);
    Rendezvous operators = new Rendezvous(2 * threads);
    try (FragmentExecution execution = execute(pipeline(PipelinePlan.ANY, operators), scan)) {
      assertArrayEquals(
          LongStream.range(0, 240).toArray(), watch(() -> TestingRuntimes.drain(execution)));
    }
    assertEquals(2 * threads, operators.mostWaiting());
    scan.assertClosed();
  }

  @Test
  void driversThatWaitAreNotReplacedInScarceMemory(@TempDir Path folder) throws Exception {
    int threads = 2;
    restart(RuntimeConfig.of(threads, 64 << 20).withSpill(DiskSpillOptions.in(List.of(folder))));
    TestingScan scan = TestingScan.of(24, 1, 10);
    Rendezvous operators = new Rendezvous(1);
    try (MemoryBuffer other = runtime.pool().allocate(runtime.pool().limitInBytes() / 10 * 9);
        FragmentExecution execution = execute(pipeline(PipelinePlan.ANY, operators), scan)) {
      assertArrayEquals(
          LongStream.range(0, 240).toArray(), watch(() -> TestingRuntimes.drain(execution)));
      assertTrue(other.lengthInBytes() > 0);
    }
    assertTrue(operators.mostWaiting() <= threads, operators::toString);
    scan.assertClosed();
  }

  @Test
  void aSingleDriverIsNotReplacedWhileItWaits() throws Exception {
    restart(RuntimeConfig.of(2, 64 << 20));
    TestingScan scan = TestingScan.of(5, 2, 10);
    Rendezvous operators = new Rendezvous(1);
    try (FragmentExecution execution = execute(pipeline(1, operators), scan)) {
      assertArrayEquals(
          LongStream.range(0, 100).toArray(), watch(() -> TestingRuntimes.drain(execution)));
    }
    assertEquals(1, operators.mostWaiting());
    scan.assertClosed();
  }

  @Test
  void scansWithoutTransformsSplitsOrRows() throws Exception {
    TestingScan plain = TestingScan.of(3, 2, 10);
    try (FragmentExecution execution = execute(pipeline(PipelinePlan.ANY), plain)) {
      assertArrayEquals(
          LongStream.range(0, 60).toArray(), watch(() -> TestingRuntimes.drain(execution)));
    }
    plain.assertClosed();
    for (TestingScan empty :
        List.of(TestingScan.of(0, 0, 0), TestingScan.of(3, 0, 0), TestingScan.of(3, 2, 0))) {
      try (FragmentExecution execution = execute(pipeline(PipelinePlan.ANY), empty)) {
        assertNull(watch(execution::next));
        assertEquals(0, execution.metrics().get(0).batches());
      }
      empty.assertClosed();
      assertEquals(empty.returned(), empty.started());
    }
    TestingScan unused = TestingScan.of(3, 2, 10);
    execute(pipeline(PipelinePlan.ANY), unused).close();
    unused.assertClosed();
    assertEquals(0, unused.returned());
  }

  @Test
  void readsSplitsInParallelOnRuntimeThreads() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    FragmentTestFailures.Environment environment =
        new FragmentTestFailures.Environment(new AtomicBoolean());
    Thread taskThread = Thread.currentThread();
    AtomicBoolean outside = new AtomicBoolean();
    TestingScan scan =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(2, 3, 10)) {
          @Override
          protected void beforeSplit(int split) {
            check();
          }

          @Override
          protected void beforeBatch(int split, int batch) {
            check();
            if (batch == 0) {
              threads.add(Thread.currentThread());
              both.countDown();
              FragmentTestFailures.await(both);
            }
          }

          private void check() {
            if (Thread.currentThread() != taskThread && !environment.isEntered()) {
              outside.set(true);
            }
          }
        };
    try (FragmentExecution execution =
        runtime.execute(grouped(4), List.of(), List.of(scan), environment)) {
      long[] rows = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(FragmentModel.grouped(LongStream.range(0, 60), 4), rows);
    }
    assertEquals(2, threads.size());
    assertFalse(outside.get());
    scan.assertClosed();
  }

  @Test
  void pausesLaterSplitsOnBackPressure() throws Exception {
    restart(RuntimeConfig.of(2, 64 << 20).withInFlight(4, 3 * 8_000));
    TestingScan scan = TestingScan.of(4, 20, 1_000);
    try (FragmentExecution execution =
        execute(pipeline(PipelinePlan.ANY, TestingOperator.passing()), scan)) {
      for (int taken = 0; taken < 80; taken++) {
        try (RecordBatch batch = watch(execution::next)) {
          assertEquals(1_000, batch.rowCount());
        }
        FragmentTestFailures.pause(taken % 10 == 0 ? 10 : 0);
        int ahead = scan.yielded() - taken;
        assertTrue(ahead <= 8, ahead + " batches were made ahead");
      }
      assertNull(watch(execution::next));
    }
    scan.assertClosed();
  }

  @Test
  void occupiesNoThreadForABlockedSplit() throws Exception {
    restart(RuntimeConfig.of(1, 64 << 20));
    TestingScan scan =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(4, 4, 10)) {
          @Override
          protected CompletableFuture<Void> blocked(int split, int batch) {
            return new CompletableFuture<Void>()
                .completeOnTimeout(null, (split + batch) % 3, TimeUnit.MILLISECONDS);
          }
        };
    CompletableFuture<Void> release = new CompletableFuture<>();
    TestingScan stuck =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(2, 2, 10)) {
          @Override
          protected CompletableFuture<Void> blocked(int split, int batch) {
            return release;
          }
        };
    FragmentExecution waiting = execute(pipeline(PipelinePlan.ANY), stuck);
    CompletableFuture<long[]> values =
        CompletableFuture.supplyAsync(() -> TestingRuntimes.drain(waiting));
    try (FragmentExecution execution = execute(pipeline(PipelinePlan.ANY), scan)) {
      assertArrayEquals(
          LongStream.range(0, 160).toArray(), watch(() -> TestingRuntimes.drain(execution)));
    }
    release.complete(null);
    assertArrayEquals(LongStream.range(0, 40).toArray(), watch(values::get));
    waiting.close();
    scan.assertClosed();
    stuck.assertClosed();
  }

  @Test
  void startsNoMoreSplitsAfterALimit() throws Exception {
    TestingScan scan = TestingScan.of(50, 3, 10);
    OperatorFactory limit =
        context -> new FragmentTestFailures.Limit(context, 45, new CountDownLatch(1));
    try (FragmentExecution execution = execute(pipeline(1, limit), scan)) {
      assertArrayEquals(
          LongStream.range(0, 45).toArray(), watch(() -> TestingRuntimes.drain(execution)));
    }
    assertEquals(2, scan.started());
    assertEquals(5, scan.yielded());
    assertTrue(scan.returned() <= 3, scan.returned() + " splits were asked for");
    scan.assertClosed();
  }

  @Test
  void freesEverythingWhenClosedOrCancelledDuringAScan() throws Exception {
    TestingScan closed = TestingScan.of(50, 30, 10);
    FragmentExecution execution = execute(pipeline(PipelinePlan.ANY), closed);
    watch(execution::next).close();
    execution.close();
    closed.assertClosed();
    assertEquals(0, runtime.pool().allocatedBytes());

    TestingScan stuck =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(5, 2, 10)) {
          @Override
          protected CompletableFuture<Void> blocked(int split, int batch) {
            return new CompletableFuture<>();
          }
        };
    FragmentExecution cancelled = execute(grouped(3), stuck);
    Thread canceller = FragmentTestFailures.later(20, cancelled::cancel);
    assertThrows(CancellationException.class, () -> watch(cancelled::next));
    canceller.join();
    cancelled.close();
    stuck.assertClosed();
    assertEquals(0, stuck.started());
  }

  @Test
  void deliversTheLowestFailingSplitAfterAllEarlierOutput() throws Exception {
    for (int threads = 1; threads <= 4; threads++) {
      restart(RuntimeConfig.of(threads, 64 << 20));
      TestingScan scan =
          new TestingScan(LongBatches.SCHEMA, TestingScan.splits(9, 5, 10)) {
            @Override
            protected void beforeBatch(int split, int batch) {
              if (split >= 4 && batch == 2) {
                FragmentTestFailures.pause(split == 4 ? 20 : 0);
                throw split == 4
                    ? new UnsupportedOperationException("planned")
                    : new IllegalArgumentException("later");
              }
            }
          };
      try (FragmentExecution execution =
          execute(pipeline(PipelinePlan.ANY, TestingOperator.passing()), scan)) {
        assertArrayEquals(
            LongStream.range(0, 220).toArray(),
            collectUntilFailure(execution, UnsupportedOperationException.class));
      }
      scan.assertClosed();
    }
  }

  @Test
  void deliversFailuresOfTheSourceOfWaitsAndOfClosing() throws Exception {
    TestingScan source =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(5, 2, 10)) {
          @Override
          protected void beforeSplit(int split) {
            if (split == 3) {
              throw new UnsupportedOperationException("planned");
            }
          }
        };
    TestingScan waits =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(5, 2, 10)) {
          @Override
          protected CompletableFuture<Void> blocked(int split, int batch) {
            return split == 3
                ? CompletableFuture.failedFuture(new UnsupportedOperationException("planned"))
                : super.blocked(split, batch);
          }
        };
    for (TestingScan scan : List.of(source, waits)) {
      try (FragmentExecution execution = execute(pipeline(PipelinePlan.ANY), scan)) {
        assertArrayEquals(
            LongStream.range(0, 60).toArray(),
            collectUntilFailure(execution, UnsupportedOperationException.class));
      }
      scan.assertClosed();
    }
    TestingScan closing =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(5, 2, 10)) {
          @Override
          protected void onClose(int split) {
            if (split == 3) {
              throw new UnsupportedOperationException("planned");
            }
          }
        };
    try (FragmentExecution execution = execute(grouped(3), closing)) {
      assertThrows(UnsupportedOperationException.class, () -> drainWatched(execution));
    }
    closing.assertClosed();
  }

  @Test
  void endsSplitsBehindAFailureEarly() throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    CountDownLatch failed = new CountDownLatch(1);
    TestingScan scan =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(2, 1_000, 1)) {
          @Override
          protected void beforeBatch(int split, int batch) {
            if (split == 0 && batch == 1) {
              FragmentTestFailures.await(second);
              failed.countDown();
              throw new UnsupportedOperationException("planned");
            } else if (split == 1 && batch == 1) {
              second.countDown();
              FragmentTestFailures.await(failed);
              FragmentTestFailures.pause(50);
            }
          }
        };
    try (FragmentExecution execution = execute(grouped(3), scan)) {
      assertThrows(UnsupportedOperationException.class, () -> drainWatched(execution));
    }
    scan.assertClosed();
    assertTrue(scan.yielded() < 10, scan.yielded() + " batches were made");
  }

  @Test
  void refusesOtherTypesAndUnknownScans() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            runtime.execute(
                pipeline(PipelinePlan.ANY), List.of(), List.of(), TaskEnvironment.NONE));
    TestingScan other =
        new TestingScan(Schema.of(new Field("value", PrimitiveType.INT32, false)), List.of());
    assertThrows(IllegalArgumentException.class, () -> execute(pipeline(PipelinePlan.ANY), other));
    other.assertClosed();
  }
}
