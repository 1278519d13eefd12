package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.spill.WaitTimes;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random plans through the real operators and kernels on any number of threads, with little memory,
 * with and without disks, and cancellations. A failure names its seed; the system property {@code
 * ariadne.test.seed} replays one.
 */
@Timeout(300)
class TestPlanFuzz {
  private static final int CASES = Integer.getInteger("ariadne.test.cases", 60);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** With little memory most cases wait for memory, some of them until they are refused it. */
  private static final WaitTimes SHORT_WAITS =
      new WaitTimes(Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofMillis(20));

  private enum Trouble {
    NONE,
    LITTLE_MEMORY,
    CANCEL
  }

  @TempDir private Path folder;

  private void run(Trouble trouble) {
    long first = Long.getLong("ariadne.test.seed", new Random().nextLong());
    System.out.println(trouble + " seeds from " + first);
    int troubled = 0;
    for (long seed = first; seed < first + CASES; seed++) {
      try {
        troubled += runCase(seed, trouble) ? 1 : 0;
      } catch (Throwable t) {
        throw new AssertionError(
            "failed with -Dariadne.test.cases=1 -Dariadne.test.seed=" + seed, t);
      }
    }
    System.out.println(trouble + " ended " + troubled + " of " + CASES + " cases early");
    boolean any = trouble == Trouble.NONE || troubled > 0;
    assertTrue(any || CASES == 1, "no case met its trouble");
  }

  /** Returns whether the case's trouble ended it. */
  private boolean runCase(long seed, Trouble trouble) throws Exception {
    PlanCase drawn = new PlanCase(seed);
    Random random = new Random(~seed);
    long memory =
        trouble == Trouble.LITTLE_MEMORY
            ? 1 + random.nextInt(1 << (10 + random.nextInt(12)))
            : 256 << 20;
    RuntimeConfig config =
        RuntimeConfig.of(1 + random.nextInt(4), memory)
            .withBackend(BackendChoice.CPU)
            .withInFlight(1 + random.nextInt(6), 1 + random.nextInt(1 << 20));
    config = config.withMemory(config.memory().withWaits(SHORT_WAITS));
    if (trouble == Trouble.LITTLE_MEMORY && random.nextBoolean()) {
      config = config.withSpill(DiskSpillOptions.in(List.of(folder)));
    }
    ExecutorRuntime runtime = ExecutorRuntime.start(config);
    Thread canceller = new Thread();
    boolean troubled = false;
    try (FragmentExecution execution =
        runtime.submit(
            drawn.root(), drawn.sources(runtime.pool()), drawn.scans(), TaskEnvironment.NONE)) {
      if (trouble == Trouble.CANCEL) {
        canceller = FragmentTestFailures.later(random.nextInt(8), execution::cancel);
      }
      RowBag rows = HangingTestWatchdog.watch(runtime, LIMIT, () -> PlanCase.drain(execution));
      assertEquals(drawn.expected(), rows);
    } catch (EngineException e) {
      assertEquals(Trouble.LITTLE_MEMORY, trouble, e::toString);
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), e.toString());
      troubled = true;
    } catch (CancellationException e) {
      assertEquals(Trouble.CANCEL, trouble);
      troubled = true;
    }
    FragmentTestFailures.join(canceller);
    assertEquals("", runtime.pool().leakReport());
    runtime.close();
    return troubled;
  }

  @Test
  void yieldsTheRowsOfTheModel() {
    run(Trouble.NONE);
  }

  @Test
  void succeedsOrFailsCleanlyWithLittleMemory() {
    run(Trouble.LITTLE_MEMORY);
  }

  @Test
  void freesEverythingWhenCancelled() {
    run(Trouble.CANCEL);
  }
}
