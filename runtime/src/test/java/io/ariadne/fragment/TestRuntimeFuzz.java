package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryUsage;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.executor.SelectedBackend;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.spill.WaitTimes;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.fuzz.Faults;
import io.ariadne.spill.fuzz.FaultyFiles;
import io.ariadne.spill.fuzz.FaultyMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tasks of several queries side by side in one runtime, each with a random plan whose rows are
 * known, over little memory, requests of which are refused, and disks that fail; some are
 * cancelled, interrupted or left early. The system property {@code ariadne.test.tasks} says how
 * many, {@code ariadne.test.seed} replays: what is drawn depends on the seed alone, though the
 * order in which threads meet does not.
 */
@Timeout(600)
class TestRuntimeFuzz {
  private static final int TASKS = Integer.getInteger("ariadne.test.tasks", 120);
  private static final int TASKS_PER_RUNTIME = 40;
  private static final long STANDSTILL_MILLIS = 30_000;

  /** Most tasks would wait most of the time. */
  private static final WaitTimes SHORT_WAITS =
      new WaitTimes(Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofMillis(20));

  /** Tears neighbouring seeds apart: their generators begin alike. */
  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L;

  @TempDir private Path folder;

  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger completed = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger stopped = new AtomicInteger();

  private long moved;
  private int struck;

  /** Requests that the source of the memory has refused, and tasks that failed by one. */
  private int requestsRefused;

  private final AtomicInteger failedByRequests = new AtomicInteger();

  @Test
  void runsManyTasks() throws InterruptedException {
    long first = Long.getLong("ariadne.test.seed", System.nanoTime());
    System.out.println("replay with -Dariadne.test.seed=" + first);
    for (int from = 0; from < TASKS; from += TASKS_PER_RUNTIME) {
      try {
        run((first + from) * SCRAMBLE, from + TASKS_PER_RUNTIME);
      } catch (Throwable t) {
        throw new AssertionError(
            "failed after task " + from + " with -Dariadne.test.seed=" + first, t);
      }
    }
    System.out.println(completed + " completed, " + refused + " refused, " + stopped + " stopped");
    System.out.println(moved + " bytes moved, " + struck + " faults");
    System.out.println(
        failedByRequests + " failed by " + requestsRefused + " faults in requests of memory");
    assertTrue(completed.get() > TASKS / 8, completed + " completed");
    assertTrue(stopped.get() > 0, "none was stopped");
  }

  private void run(long seed, int end) throws InterruptedException {
    Random random = new Random(seed);
    Faults faults = new Faults(random, 1 + random.nextInt(6));
    Path files = FaultyFiles.over(folder, faults);
    RuntimeConfig config =
        RuntimeConfig.of(1 + random.nextInt(4), 1L << (20 + random.nextInt(6)))
            .withBackend(BackendChoice.CPU)
            .withInFlight(1 + random.nextInt(6), 1 + random.nextInt(1 << 20))
            .withTimes(STANDSTILL_MILLIS, STANDSTILL_MILLIS)
            .withSpill(DiskSpillOptions.in(List.of(files)));
    Faults refusals = new Faults(random, random.nextBoolean() ? 0 : 10 + random.nextInt(300));
    config =
        config.withMemory(
            config
                .memory()
                .withAccess(real -> new FaultyMemory(real, refusals))
                .withWaits(SHORT_WAITS));
    ExecutorRuntime runtime = start(config, random);
    List<Thread> tasks = new ArrayList<>();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      tasks.add(new Thread(() -> work(runtime, seed, end), "task-thread-" + i));
    }
    tasks.forEach(Thread::start);
    for (Thread task : tasks) {
      while (task.isAlive()) {
        task.join(5);
        if (random.nextInt(400) == 0) {
          tasks.get(random.nextInt(tasks.size())).interrupt();
        }
      }
    }
    next.set(end);
    if (failure.get() != null) {
      throw new AssertionError(runtime.diagnosis(), failure.get());
    }
    assertEquals("", runtime.lastReport(), "the watchdog has something to tell");
    assertEquals(0, runtime.openFragmentCount());
    assertEquals("", runtime.pool().leakReport());
    MemoryUsage left = runtime.memoryUsage();
    assertEquals(0, left.hostBytes() + left.deviceBytes() + left.hostedBytes() + left.diskBytes());
    assertTrue(runtime.pool().peakBytes() <= config.memory().limitInBytes());
    moved += runtime.movedBytes();
    struck += faults.count() + refusals.count();
    requestsRefused += refusals.count();
    runtime.close();
  }

  /** Starts a runtime on the host, or over a device that is smaller or larger than that. */
  private static ExecutorRuntime start(RuntimeConfig config, Random random) {
    if (random.nextInt(3) > 0) {
      return ExecutorRuntime.start(config);
    }
    SimulatedDevice device = SimulatedDevice.of(1L << (21 + random.nextInt(5)));
    return ExecutorRuntime.start(
        config, new SelectedBackend(SimulatedBackend.open(device), "test"));
  }

  private void work(ExecutorRuntime runtime, long seed, int end) {
    try {
      for (int task = next.getAndIncrement();
          task < end && failure.get() == null;
          task = next.getAndIncrement()) {
        runTask(runtime, (seed + task) * SCRAMBLE);
        Thread.interrupted();
      }
    } catch (Throwable t) {
      failure.compareAndSet(null, t);
    }
  }

  private void runTask(ExecutorRuntime runtime, long seed) throws InterruptedException {
    PlanCase drawn = new PlanCase(seed);
    Random random = new Random(~seed);
    Thread canceller = new Thread();
    try (FragmentExecution execution =
        runtime.submit(
            drawn.root(),
            drawn.sources(runtime.pool()),
            drawn.scans(),
            new Task(random.nextInt(3), random.nextInt(4)))) {
      if (random.nextInt(8) == 0) {
        canceller = FragmentTestFailures.later(random.nextInt(8), execution::cancel);
      }
      if (random.nextInt(8) == 0) {
        leaveEarly(execution);
        stopped.incrementAndGet();
      } else {
        assertEquals(drawn.expected(), PlanCase.drain(execution));
        completed.incrementAndGet();
      }
    } catch (EngineException e) {
      boolean isDisk =
          e.code() == ErrorCode.CORRUPT_DATA && String.valueOf(e.getMessage()).contains("injected");
      if (e.code() != ErrorCode.OUT_OF_MEMORY && !isDisk) {
        throw e;
      }
      refused.incrementAndGet();
      if (String.valueOf(e.getMessage()).contains("within the limit")) {
        failedByRequests.incrementAndGet();
      }
    } catch (CancellationException e) {
      stopped.incrementAndGet();
    } finally {
      Thread.interrupted();
      FragmentTestFailures.join(canceller);
    }
  }

  private static void leaveEarly(FragmentExecution execution) {
    var batch = execution.next();
    if (batch != null) {
      batch.close();
    }
  }

  /** A task of one of three queries. */
  private record Task(int number, long taskRank) implements TaskEnvironment {
    @Override
    public void enter() {}

    @Override
    public void exit() {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public String description() {
      return query() + " task " + taskRank;
    }

    @Override
    public Object query() {
      return "query " + number;
    }
  }
}
