package io.ariadne.it.suites;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.executor.RuntimeAdjustment;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.it.fault.InjectedFaults;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import io.ariadne.spill.WaitTimes;
import io.ariadne.spill.fuzz.Faults;
import io.ariadne.spill.fuzz.FaultyMemory;
import java.time.Duration;
import java.util.Random;

/**
 * Little memory and refused requests of it while a test runs. What waits in memory then goes to
 * disk. Which requests fail follows from the seed and the test's name. Within one process tests run
 * one after the other.
 */
public final class RefusedMemory implements RuntimeAdjustment {
  private static final long SEED = Long.getLong("ariadne.test.seed", 0);
  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L;
  private static final int RARITIES = 9;
  private static final int MEMORY_SIZES = 3;
  private static final WaitTimes WAITS =
      new WaitTimes(Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofMillis(50));

  private static final Faults FAULTS = new Faults();
  private static Reservation taken;

  /** Created by the plugin. */
  public RefusedMemory() {}

  @Override
  public RuntimeConfig adjust(RuntimeConfig config) {
    return config.withMemory(
        config.memory().withAccess(real -> new FaultyMemory(real, FAULTS)).withWaits(WAITS));
  }

  /** Lets one later request fail, and takes most of the memory. */
  static void begin(String test) {
    Random random = new Random((SEED ^ test.hashCode()) * SCRAMBLE);
    FAULTS.begin(random, 1 << random.nextInt(RARITIES), 1);
    if (ProcessRuntime.isStarted()) {
      MemoryPool pool = ProcessRuntime.get().pool();
      long rest =
          pool.availableBytes() - (InjectedFaults.LEAST_LEFT_BYTES << random.nextInt(MEMORY_SIZES));
      taken = rest > 0 ? pool.tryReserve("refused memory", rest) : null;
    }
  }

  /** Lets everything succeed again. */
  static void end() {
    FAULTS.end();
    if (taken != null) {
      taken.close();
      taken = null;
    }
  }
}
