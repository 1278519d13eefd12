package io.ariadne.preload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.WaitKind;
import io.ariadne.event.WorkOwner;
import io.ariadne.io.PrefetchedRanges;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.io.WantedRange;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.testing.Await;
import io.ariadne.preload.ScriptedFile.ScriptedRead;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the steps by which scans find out what to read. */
@Timeout(60)
class TestPreloadSteps {
  private static final int MIB = 1 << 20;
  private static final int PATIENT = 30_000;

  private final MemoryPool pool = MemoryPools.host("preload", 64L * MIB, true);
  private PreloadExecutor executor;
  private ReadAheadScan scan;

  private void start(long maxBytes, int requests) {
    executor = new PreloadExecutor("test", new PreloadConfig(maxBytes, requests, PATIENT), pool);
    scan = open("scan");
  }

  private ReadAheadScan open(String name) {
    return executor.open(name, key -> new LongAdder());
  }

  @AfterEach
  void stop() {
    scan.close();
    executor.close();
    assertTrue(executor.isTerminated(), executor::describe);
    pool.close();
  }

  @Test
  void stepsOfAClosedScanNeverBegin() throws Exception {
    start(32L * MIB, 1);
    CompletableFuture<Void> gate = new CompletableFuture<>();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<String> running =
        scan.prepare(
            () -> {
              begun.complete(null);
              gate.get();
              return "over";
            },
            0);
    CompletableFuture<String> waiting = scan.prepare(() -> "never", 0);
    begun.get(20, TimeUnit.SECONDS);
    scan.close();
    gate.complete(null);
    assertEquals("over", running.get(20, TimeUnit.SECONDS));
    assertThrows(CancellationException.class, () -> waiting.get(20, TimeUnit.SECONDS));
  }

  /** Steps and ranges share one limit; what a step holds counts until it is freed. */
  @Test
  void stepsCountAsReadAhead() throws Exception {
    start(8L * MIB, 8);
    ScriptedFile file = new ScriptedFile(64L * MIB);
    file.react(ScriptedRead::succeed);
    CompletableFuture<Void> gate = new CompletableFuture<>();
    CompletableFuture<MemoryBuffer> step =
        scan.prepare(
            () -> {
              gate.get();
              return scan.memoryOfSteps(pool).allocate(6L * MIB);
            },
            5L * MIB);
    assertTrue(scan.mayPrepare(1, 3L * MIB));
    assertFalse(scan.mayPrepare(1, 3L * MIB + 1), "the step that runs counts");
    gate.complete(null);
    MemoryBuffer held = step.get(20, TimeUnit.SECONDS);
    assertTrue(scan.mayPrepare(1, 2L * MIB), "the estimate no longer counts");
    assertFalse(scan.mayPrepare(1, 2L * MIB + 1), "what it holds counts");
    try (PrefetchedRanges ranges =
        scan.read(file, List.of(mebibyte(0), mebibyte(20), mebibyte(40)), 0, true, () -> {})) {
      Await.until(() -> file.reads.size() == 2);
      Thread.sleep(300); // longer than a tick
      assertEquals(2, file.reads.size());
      held.close();
      Await.until(() -> file.reads.size() == 3);
      ranges.arrived(41).get(20, TimeUnit.SECONDS);
    }
    assertTrue(scan.mayPrepare(1, 8L * MIB));
  }

  private static WantedRange mebibyte(int index) {
    return new WantedRange((long) index * MIB, MIB, index);
  }

  @Test
  void noStepBeginsEarlyWhenMemoryIsScarce() {
    start(32L * MIB, 8);
    assertTrue(scan.mayPrepare(15, MIB));
    assertFalse(scan.mayPrepare(16, MIB), "so many steps are enough");
    try (MemoryBuffer operators = pool.allocate(48L * MIB)) {
      assertEquals(48L * MIB, operators.lengthInBytes());
      assertFalse(scan.mayPrepare(1, MIB));
    }
    assertTrue(scan.mayPrepare(1, MIB));
  }

  @Test
  void stepsRunInTheEnvironmentOfTheirFragment() throws Exception {
    start(32L * MIB, 1);
    Fragment fragment = new Fragment();
    WorkOwner before = ThreadRecord.current().workFor(fragment);
    ReadAheadScan own = open("scan of a fragment");
    ThreadRecord.current().workFor(before);
    WorkOwner seen =
        own.prepare(
                () -> {
                  assertEquals(1, fragment.depth.get());
                  return ThreadRecord.current().owner();
                },
                0)
            .get(20, TimeUnit.SECONDS);
    own.close();
    assertSame(fragment, seen);
    Await.until(() -> fragment.depth.get() == 0);
  }

  /** Counts how deep its environment is entered. */
  private static final class Fragment implements WorkOwner {
    private final AtomicInteger depth = new AtomicInteger();

    @Override
    public String description() {
      return "a fragment";
    }

    @Override
    public long startNanos() {
      return 0;
    }

    @Override
    public void enter() {
      depth.incrementAndGet();
    }

    @Override
    public void exit() {
      depth.decrementAndGet();
    }

    @Override
    public void waited(int node, WaitKind kind, long nanos) {}

    @Override
    public void spilled(int node, long bytes, long diskBytes, long nanos) {}

    @Override
    public void readBack(int node, long bytes, long nanos) {}
  }
}
