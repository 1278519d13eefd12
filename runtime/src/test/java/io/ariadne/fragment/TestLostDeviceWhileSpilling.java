package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryUsage;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.executor.SelectedBackend;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A device that is lost, at a launch or a copy drawn by chance, while groups leave it for the host
 * and the disk: the query fails for that reason alone, everything is given back, and the next query
 * has the right answer.
 */
@Timeout(300)
class TestLostDeviceWhileSpilling {
  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());
  private static final int CASES = Integer.getInteger("ariadne.test.cases", 8);
  private static final long DEVICE_BYTES = 4L << 20;
  private static final long HOST_BYTES = 4L << 20;
  private static final KeySums SUMS = new KeySums(1 << 17, 4096);

  @TempDir private Path folder;

  /** Calls of a query, and bytes that leave memory during it. */
  private record Calls(long launches, long copies, long movedBytes) {}

  @Test
  void survivesLossAtAnyLaunchOrCopy() throws Exception {
    Calls all = countCalls();
    assertTrue(all.movedBytes() > 0, "nothing leaves the device");
    Random random = new Random(SEED);
    int lost = 0;
    long moved = 0;
    for (int i = 0; i < CASES; i++) {
      // Orders of threads differ: a query may make fewer calls than the one before.
      boolean isCopy = i % 2 == 1;
      int calls = random.nextInt((int) (isCopy ? all.copies() : all.launches()) * 3 / 4);
      String what = calls + (isCopy ? " copies" : " launches") + ", seed " + SEED;
      long movedBefore = loses(calls, isCopy, what);
      lost += movedBefore >= 0 ? 1 : 0;
      moved += Math.max(0, movedBefore);
    }
    assertTrue(lost > 0, "no losses, seed " + SEED);
    assertTrue(moved > 0, "nothing had left the device before a loss, seed " + SEED);
  }

  private Calls countCalls() throws Exception {
    SimulatedBackend device = SimulatedBackend.open(SimulatedDevice.of(DEVICE_BYTES));
    try (ExecutorRuntime runtime =
        ExecutorRuntime.start(config(), new SelectedBackend(device, "test"))) {
      run(runtime);
      return new Calls(device.launchCount(), device.copyCount(), runtime.movedBytes());
    }
  }

  private RuntimeConfig config() {
    return RuntimeConfig.of(2, HOST_BYTES)
        .withInFlight(3, 256 << 10)
        .withSpill(DiskSpillOptions.in(List.of(folder)));
  }

  /**
   * Returns how many bytes had left memory when the query failed, or -1 when it had its answer
   * before the device was lost.
   */
  private long loses(int calls, boolean isCopy, String what) throws Exception {
    SimulatedBackend device = SimulatedBackend.open(SimulatedDevice.of(DEVICE_BYTES));
    try (ExecutorRuntime runtime =
        ExecutorRuntime.start(config(), new SelectedBackend(device, "test"))) {
      if (isCopy) {
        device.loseAfterCopies(calls);
      } else {
        device.loseAfter(calls);
      }
      boolean isLost = false;
      try {
        run(runtime);
      } catch (EngineException e) {
        assertEquals(ErrorCode.DEVICE_LOST, e.code(), () -> what + ": " + e);
        isLost = true;
      }
      long moved = runtime.movedBytes();
      assertNothingHeld(runtime, what);
      assertEquals(isLost, runtime.lostDevice().isPresent(), what);
      if (isLost) {
        run(runtime);
        assertNothingHeld(runtime, what);
      }
      return isLost ? moved : -1;
    }
  }

  private static void assertNothingHeld(ExecutorRuntime runtime, String what) {
    MemoryUsage end = runtime.memoryUsage();
    assertEquals(
        0,
        end.hostBytes() + end.deviceBytes() + end.hostedBytes() + end.diskBytes(),
        () -> what + ": " + end);
  }

  private static void run(ExecutorRuntime runtime) throws Exception {
    HangingTestWatchdog.watch(
        runtime,
        Duration.ofSeconds(60),
        () -> {
          try (FragmentExecution execution =
              runtime.submit(
                  KeySums.plan(), List.of(), List.of(SUMS.scan()), TaskEnvironment.NONE)) {
            SUMS.check(execution);
          }
          return null;
        });
  }
}
