package io.ariadne.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.WaitKind;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.Reservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestWatchdog {
  private static final long LIMIT = 1 << 20;

  private final MemoryPool pool = MemoryPools.host("watched", LIMIT, true);

  /** Work whose progress the test sets, and for which a thread always waits. */
  private static final class Work implements Watched {
    final AtomicLong progress = new AtomicLong();
    final AtomicLong waitedNanos = new AtomicLong();
    private final String name;
    private final long start;

    Work(String name, long start) {
      this.name = name;
      this.start = start;
    }

    @Override
    public long progress() {
      return progress.get();
    }

    @Override
    public boolean isAwaited() {
      return true;
    }

    @Override
    public String diagnosis() {
      return name + " is diagnosed\n";
    }

    @Override
    public String description() {
      return name;
    }

    @Override
    public long startNanos() {
      return start;
    }

    @Override
    public void waited(int node, WaitKind kind, long nanos) {
      waitedNanos.addAndGet(nanos);
    }

    @Override
    public void spilled(int node, long bytes, long diskBytes, long nanos) {}

    @Override
    public void readBack(int node, long bytes, long nanos) {}
  }

  private static void awaitReport(Watchdog watchdog) throws InterruptedException {
    while (watchdog.lastReport().isEmpty()) {
      Thread.sleep(1);
    }
  }

  /**
   * Two tasks hold half of the memory each and want more: the wait of the younger one is broken.
   */
  @Test
  void breaksACycleOfReservations() throws Exception {
    breakCycle(0);
  }

  /** The same when the second begins to wait while the first has waited for long. */
  @Test
  void breaksACycleThatClosesLater() throws Exception {
    breakCycle(60);
    breakCycle(170);
  }

  private void breakCycle(long millisBetween) throws Exception {
    long now = System.nanoTime();
    List<Work> works = List.of(new Work("old", now - 1000), new Work("young", now));
    List<String> refused = Collections.synchronizedList(new ArrayList<>());
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (Watchdog watchdog = new Watchdog("watchdog", 100, () -> works, pool::state)) {
      List<Future<?>> all = new ArrayList<>();
      List<Reservation> halves = new ArrayList<>();
      for (Work work : works) {
        halves.add(pool.reserve(work.name, LIMIT / 2, 0));
      }
      for (int i = 0; i < 2; i++) {
        Work work = works.get(i);
        Reservation half = halves.get(i);
        all.add(threads.submit(() -> growOrGiveWay(work, half, refused)));
        // The second works until it waits, too.
        for (long slept = 0; i == 0 && slept < millisBetween; slept += 5) {
          works.get(1).progress.incrementAndGet();
          Thread.sleep(5);
        }
      }
      for (Future<?> each : all) {
        each.get();
      }
      assertEquals(List.of("young"), refused);
      String report = watchdog.lastReport();
      assertTrue(report.contains("old is diagnosed"), report);
      assertTrue(report.contains("bytes of pool watched, wanted by young"), report);
      assertTrue(works.get(0).waitedNanos.get() > 50_000_000, "the owner is told of the wait");
    } finally {
      threads.shutdown();
    }
    assertEquals(0, pool.allocatedBytes());
  }

  private static void growOrGiveWay(Work work, Reservation half, List<String> refused) {
    ThreadRecord.current().workFor(work);
    try (half) {
      half.grow(LIMIT / 4, 30_000);
    } catch (EngineException e) {
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      assertTrue(e.getMessage().contains("youngest work that waits"), e.getMessage());
      refused.add(work.name);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      ThreadRecord.current().workFor(null);
    }
  }

  /** While any work makes progress, waits may still end by themselves. */
  @Test
  void breaksNoWaitWhileAnyWorkProgresses() throws Exception {
    Work still = new Work("still", 1);
    Work moves = new Work("moves", 2);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    Reservation all = pool.reserve("all", LIMIT, 0);
    try (Watchdog watchdog =
        new Watchdog("watchdog", 40, () -> List.of(still, moves), () -> "shared\n")) {
      Future<Reservation> waits =
          threads.submit(
              () -> {
                ThreadRecord.current().workFor(still);
                return pool.reserve("waits", 64, 20_000);
              });
      while (watchdog.lastReport().isEmpty()) {
        moves.progress.incrementAndGet();
        Thread.sleep(1);
      }
      assertTrue(watchdog.lastReport().contains("1 fragments"), watchdog.lastReport());
      assertTrue(watchdog.lastReport().contains("shared"), watchdog.lastReport());
      assertFalse(waits.isDone());
      all.close();
      waits.get().close();
    } finally {
      threads.shutdown();
    }
    pool.close();
  }

  /**
   * If a check or a report fails, as with a full heap, the wait is broken all the same, and the
   * thread checks again.
   */
  @Test
  void checksAgainAfterErrors() throws Exception {
    AtomicInteger failing = new AtomicInteger(3);
    Work still = new Work("still", 1);
    Supplier<List<Work>> work =
        () -> {
          failIf(failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0);
          return List.of(still);
        };
    AtomicBoolean isRefused = new AtomicBoolean();
    Supplier<String> shared =
        () -> {
          failIf(!isRefused.get());
          return "shared\n";
        };
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Reservation all = pool.reserve("all", LIMIT, 0);
        Watchdog watchdog = new Watchdog("watchdog", 40, work, shared)) {
      assertTrue(threads.submit(() -> isRefused(still)).get(), "no report, and no refusal");
      isRefused.set(true);
      awaitReport(watchdog);
      assertTrue(watchdog.lastReport().contains("shared"), watchdog.lastReport());
      assertEquals(LIMIT, pool.allocatedBytes(), all::toString);
    } finally {
      threads.shutdown();
    }
    pool.close();
  }

  private static void failIf(boolean fails) {
    if (fails) {
      throw new OutOfMemoryError("planned");
    }
  }

  private boolean isRefused(Work work) throws InterruptedException {
    ThreadRecord.current().workFor(work);
    try (Reservation reserved = pool.reserve("waits", 64, 20_000)) {
      return reserved == null;
    } catch (EngineException e) {
      return e.getMessage().contains("youngest work that waits");
    } finally {
      ThreadRecord.current().workFor(null);
    }
  }

  /** A report has the stack of work that hangs in code. */
  @Test
  void reportsTheStacksOfWorkingThreads() throws Exception {
    Work still = new Work("still", 1);
    Thread hangs =
        new Thread(
            () -> {
              ThreadRecord.current().workFor(still);
              sleepForLong();
            },
            "hangs");
    hangs.start();
    try (Watchdog watchdog = new Watchdog("watchdog", 30, () -> List.of(still), () -> "")) {
      awaitReport(watchdog);
      while (!watchdog.lastReport().contains("sleepForLong")) {
        Thread.sleep(1);
      }
    }
    hangs.interrupt();
    hangs.join();
    pool.close();
  }

  private static void sleepForLong() {
    assertThrows(InterruptedException.class, () -> Thread.sleep(60_000));
  }
}
