package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.fragment.control.TaskEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random plans, threads, pauses, cancellations, failures and memory limits. A failure names its
 * seed; the system property {@code ariadne.test.seed} replays one.
 */
@Timeout(300)
class TestFragmentFuzz {
  private static final int CASES = Integer.getInteger("ariadne.test.cases", 150);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private interface Body {
    /** Runs a case; returns whether it ended early. */
    boolean run(long seed) throws Exception;
  }

  /** Runs the cases; some of them, but not all, must end early when that is what they are for. */
  private static void forSeeds(boolean someEndEarly, Body body) {
    long first = Long.getLong("ariadne.test.seed", new Random().nextLong());
    System.out.println("seeds from " + first);
    int early = 0;
    for (long seed = first; seed < first + CASES; seed++) {
      try {
        early += body.run(seed) ? 1 : 0;
      } catch (Throwable t) {
        throw new AssertionError(
            "failed with -Dariadne.test.cases=1 -Dariadne.test.seed=" + seed, t);
      }
    }
    System.out.println(early + " of " + CASES + " cases ended early");
    if (CASES > 1) {
      assertEquals(someEndEarly, early > 0);
      assertTrue(early < CASES, "no case went to its end");
    }
  }

  private static FragmentExecution execute(
      ExecutorRuntime runtime, FragmentCase drawn, TestingSource source) {
    return runtime.execute(
        drawn.plan(), List.of(source), List.of(drawn.scan()), TaskEnvironment.NONE);
  }

  private static <T> T watch(ExecutorRuntime runtime, Callable<T> body) throws Exception {
    return HangingTestWatchdog.watch(runtime, LIMIT, body);
  }

  @Test
  void yieldsTheRowsOfTheModel() {
    forSeeds(
        false,
        seed -> {
          FragmentCase drawn = new FragmentCase(seed, false);
          ExecutorRuntime runtime = TestingRuntimes.start(drawn.config(false));
          TestingSource source = drawn.source(runtime.pool());
          try (FragmentExecution execution = execute(runtime, drawn, source)) {
            long[] rows = watch(runtime, () -> TestingRuntimes.drain(execution));
            assertRows(drawn, rows);
          }
          assertClean(runtime, drawn, source);
          return false;
        });
  }

  @Test
  void deliversFailuresAndFreesEverything() {
    forSeeds(
        true,
        seed -> {
          FragmentCase drawn = new FragmentCase(seed, true);
          ExecutorRuntime runtime = TestingRuntimes.start(drawn.config(false));
          TestingSource source = drawn.source(runtime.pool());
          boolean early = false;
          try (FragmentExecution execution = execute(runtime, drawn, source)) {
            assertRows(drawn, watch(runtime, () -> TestingRuntimes.drain(execution)));
          } catch (FragmentCase.Planned planned) {
            assertTrue(planned.getSuppressed().length < 9);
            early = true;
          }
          assertClean(runtime, drawn, source);
          return early;
        });
  }

  @Test
  void succeedsOrFailsCleanlyWithLittleMemory() {
    forSeeds(
        true,
        seed -> {
          FragmentCase drawn = new FragmentCase(seed, false);
          ExecutorRuntime runtime = TestingRuntimes.start(drawn.config(true));
          TestingSource source = drawn.source(runtime.pool());
          boolean early = false;
          try (FragmentExecution execution = execute(runtime, drawn, source)) {
            assertRows(drawn, watch(runtime, () -> TestingRuntimes.drain(execution)));
          } catch (EngineException e) {
            assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), e.toString());
            early = true;
          }
          assertClean(runtime, drawn, source);
          return early;
        });
  }

  @Test
  void freesEverythingWhenItEndsEarly() {
    forSeeds(
        true,
        seed -> {
          FragmentCase drawn = new FragmentCase(seed, seed % 3 == 0);
          ExecutorRuntime runtime = TestingRuntimes.start(drawn.config(false));
          TestingSource source = drawn.source(runtime.pool());
          boolean early = endEarly(runtime, drawn, source, new Random(seed ^ 0x5deece66dL));
          assertClean(runtime, drawn, source);
          return early;
        });
  }

  @Test
  void runsFragmentsSideBySide() {
    forSeeds(
        false,
        seed -> {
          if (seed % 4 != 0) {
            return false;
          }
          ExecutorRuntime runtime =
              TestingRuntimes.start(new FragmentCase(seed, false).config(false));
          AtomicReference<Throwable> problem = new AtomicReference<>();
          List<Thread> tasks = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            long taskSeed = seed * 31 + i;
            boolean early = i == 3;
            tasks.add(new Thread(() -> runTask(runtime, taskSeed, early, problem)));
          }
          tasks.forEach(Thread::start);
          for (Thread task : tasks) {
            task.join();
          }
          if (problem.get() != null) {
            throw new AssertionError(problem.get());
          }
          runtime.close();
          assertEquals(0, runtime.pool().allocatedBytes());
          return false;
        });
  }

  private static void runTask(
      ExecutorRuntime runtime, long seed, boolean early, AtomicReference<Throwable> problem) {
    try {
      FragmentCase drawn = new FragmentCase(seed, early);
      TestingSource source = drawn.source(runtime.pool());
      if (early) {
        endEarly(runtime, drawn, source, new Random(seed));
        return;
      }
      try (FragmentExecution execution = execute(runtime, drawn, source)) {
        assertRows(drawn, watch(runtime, () -> TestingRuntimes.drain(execution)));
      }
    } catch (Throwable t) {
      problem.compareAndSet(null, t);
    }
  }

  /**
   * Stops after some output: by close, cancel, kill or interrupt, from this or another thread.
   *
   * @return whether an exception said so
   */
  private static boolean endEarly(
      ExecutorRuntime runtime, FragmentCase drawn, TestingSource source, Random random)
      throws Exception {
    AtomicBoolean killed = new AtomicBoolean();
    FragmentTestFailures.Environment environment = new FragmentTestFailures.Environment(killed);
    FragmentExecution execution =
        runtime.execute(drawn.plan(), List.of(source), List.of(drawn.scan()), environment);
    Thread task = Thread.currentThread();
    Thread trouble =
        switch (random.nextInt(5)) {
          case 0 -> FragmentTestFailures.later(random.nextInt(5), execution::cancel);
          case 1 -> FragmentTestFailures.later(random.nextInt(5), execution::close);
          case 2 -> FragmentTestFailures.later(random.nextInt(5), () -> killed.set(true));
          case 3 -> FragmentTestFailures.later(random.nextInt(5), task::interrupt);
          default -> new Thread();
        };
    int wanted = random.nextInt(20);
    boolean thrown = false;
    try {
      watch(runtime, () -> take(execution, wanted, random));
    } catch (CancellationException | FragmentCase.Planned expected) {
      thrown = true;
    } catch (IllegalStateException e) {
      assertEquals("the fragment is closed", e.getMessage());
      thrown = true;
    } finally {
      FragmentTestFailures.join(trouble);
      Thread.interrupted();
    }
    try {
      execution.close();
    } catch (FragmentCase.Planned splitThatFailsToClose) {
      thrown = true;
    }
    assertEquals(0, environment.depth());
    return thrown;
  }

  private static Void take(FragmentExecution execution, int wanted, Random random) {
    for (int i = 0; i < wanted; i++) {
      RecordBatch batch = execution.next();
      if (batch == null) {
        return null;
      }
      FragmentCase.pause(random);
      batch.close();
    }
    return null;
  }

  private static void assertRows(FragmentCase drawn, long[] rows) {
    long[] expected = drawn.expected();
    if (!drawn.isOrdered()) {
      Arrays.sort(expected);
      Arrays.sort(rows);
    }
    assertArrayEquals(expected, rows);
  }

  private static void assertClean(
      ExecutorRuntime runtime, FragmentCase drawn, TestingSource source) {
    assertEquals("", runtime.pool().leakReport());
    assertEquals(0, runtime.openFragmentCount());
    runtime.close();
    assertTrue(source.isClosed());
    drawn.assertScanClosed();
    assertFalse(source.wasClosedDuringPull());
    assertFalse(source.wasPulledByOthers());
  }
}
