package io.ariadne.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.event.ThreadRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestComputeExecutor {
  private record Task(Object owner, int distance, Runnable work) implements WorkItem {
    @Override
    public void run() {
      work.run();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void runsWorkClosestToTheOutputFirst() {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch start = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(4);
    try (ComputeExecutor executor = new ComputeExecutor("test", 1)) {
      executor.submit(new Task(this, 0, () -> await(start)));
      for (String name : List.of("2 far", "1 near", "2 far later", "1 near later")) {
        int distance = name.charAt(0) - '0';
        executor.submit(
            new Task(
                this,
                distance * 1000,
                () -> {
                  order.add(name);
                  end.countDown();
                }));
      }
      start.countDown();
      await(end);
    }
    assertEquals(List.of("1 near", "1 near later", "2 far", "2 far later"), order);
  }

  @Test
  void doesNotStarveOldWork() {
    CountDownLatch end = new CountDownLatch(1);
    try (ComputeExecutor executor = new ComputeExecutor("test", 1)) {
      Runnable[] endless = new Runnable[1];
      endless[0] =
          () -> {
            if (end.getCount() > 0) {
              executor.submit(new Task(this, 0, endless[0]));
            }
          };
      executor.submit(new Task(this, 0, endless[0]));
      executor.submit(new Task(this, 0, endless[0]));
      executor.submit(new Task(this, 3, end::countDown));
      await(end);
      executor.withdraw(this);
    }
  }

  /** A query of one task beside one of fifty: by count of turns it has its half of the threads. */
  @Test
  void sharesThreadsAmongQueries() {
    AtomicInteger ofMany = new AtomicInteger();
    AtomicInteger ofOne = new AtomicInteger();
    CountDownLatch end = new CountDownLatch(400);
    Object many = new Object();
    Object one = new Object();
    try (ComputeExecutor executor = new ComputeExecutor("test", 2)) {
      for (int i = 0; i < 50; i++) {
        submitAgain(executor, many, ofMany, end);
      }
      submitAgain(executor, one, ofOne, end);
      await(end);
      executor.withdraw(many);
      executor.withdraw(one);
    }
    assertTrue(ofOne.get() > 100, ofOne + " turns of one, " + ofMany + " of many");
    assertTrue(ofMany.get() > 100, ofOne + " turns of one, " + ofMany + " of many");
  }

  private static void submitAgain(
      ComputeExecutor executor, Object owner, AtomicInteger turns, CountDownLatch end) {
    Runnable work =
        () -> {
          long start = System.nanoTime();
          while (System.nanoTime() - start < 1_000_000) {
            Thread.onSpinWait();
          }
          turns.incrementAndGet();
          end.countDown();
          if (end.getCount() > 0) {
            submitAgain(executor, owner, turns, end);
          }
        };
    executor.submit(new Task(owner, 0, work));
  }

  /** Tasks that wait for memory leave their places to others, whose threads do not stay. */
  @Test
  void runsOtherWorkWhileWorkItemsWaitForMemory() throws Exception {
    int places = 2;
    CountDownLatch freed = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(places);
    CountDownLatch end = new CountDownLatch(places);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<String> names = Collections.synchronizedList(new ArrayList<>());
    try (ComputeExecutor executor = new ComputeExecutor("leaving", places)) {
      for (int i = 0; i < places; i++) {
        executor.submit(new Task(this, 0, () -> waitForMemory(waiting, freed, end)));
      }
      await(waiting);
      CountDownLatch others = new CountDownLatch(20);
      for (int i = 0; i < 20; i++) {
        executor.submit(
            new Task(
                new Object(),
                0,
                () -> {
                  most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                  Thread.onSpinWait();
                  atOnce.decrementAndGet();
                  others.countDown();
                }));
      }
      await(others);
      freed.countDown();
      await(end);
      CountDownLatch after = new CountDownLatch(places);
      for (int i = 0; i < places; i++) {
        executor.submit(
            new Task(
                this,
                0,
                () -> {
                  names.add(Thread.currentThread().getName());
                  after.countDown();
                  await(after);
                }));
      }
      await(after);
      assertTrue(most.get() <= places, most + " at once");
      assertEquals(places, names.stream().distinct().count());
      while (threadsOf("leaving") > places) {
        Thread.sleep(1);
      }
    }
  }

  private static long threadsOf(String executor) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith(executor + "-"))
        .count();
  }

  private static void waitForMemory(
      CountDownLatch waiting, CountDownLatch freed, CountDownLatch end) {
    ThreadRecord.current()
        .withoutPermit(
            () -> {
              waiting.countDown();
              await(freed);
              return null;
            });
    end.countDown();
  }

  @Test
  void helpsWithOwnWorkWithinTheLimit() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger helped = new AtomicInteger();
    Object other = new Object();
    try (ComputeExecutor executor = new ComputeExecutor("test", 1)) {
      executor.submit(
          new Task(
              other,
              0,
              () -> {
                running.countDown();
                await(release);
              }));
      await(running);
      executor.submit(new Task(this, 0, helped::incrementAndGet));
      assertFalse(executor.help(this), "all permits are taken");
      assertFalse(executor.help(other), "nothing of this owner is queued");
      assertEquals(1, executor.withdraw(this));
      assertEquals(0, executor.withdraw(this));
      release.countDown();
    }
    assertEquals(0, helped.get());
  }

  @Test
  void keepsTheThreadOfAWorkItemThatThrows() {
    CountDownLatch end = new CountDownLatch(1);
    try (ComputeExecutor executor = new ComputeExecutor("test", 1)) {
      executor.submit(
          new Task(
              this,
              0,
              () -> {
                throw new IllegalStateException("planned");
              }));
      executor.submit(new Task(this, 0, end::countDown));
      await(end);
    }
  }

  /** Tasks that throw errors out of their owner's control take neither threads nor places. */
  @Test
  void losesNeitherThreadsNorPermitsToErrors() {
    int places = 2;
    try (ComputeExecutor executor = new ComputeExecutor("erring", places)) {
      for (int i = 0; i < 20; i++) {
        boolean isDeep = i % 2 == 0;
        executor.submit(
            new Task(
                this,
                0,
                () -> {
                  throw isDeep
                      ? new StackOverflowError("planned")
                      : new OutOfMemoryError("planned");
                }));
      }
      CountDownLatch together = new CountDownLatch(places);
      for (int i = 0; i < places; i++) {
        executor.submit(
            new Task(
                this,
                0,
                () -> {
                  together.countDown();
                  await(together);
                }));
      }
      await(together);
      assertEquals(places, threadsOf("erring"));
    }
  }

  @Test
  void stopsThreadsAndRefusesWorkWhenClosed() {
    ComputeExecutor executor = new ComputeExecutor("close-test", 3);
    assertEquals(3, executor.threadCount());
    executor.close();
    assertFalse(
        Thread.getAllStackTraces().keySet().stream()
            .anyMatch(thread -> thread.getName().startsWith("close-test")));
    assertThrows(IllegalStateException.class, () -> executor.submit(new Task(this, 0, () -> {})));
    assertThrows(IllegalArgumentException.class, () -> new ComputeExecutor("none", 0));
  }
}
