package io.ariadne.it.fault;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.executor.RuntimeAdjustment;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.fuzz.Faults;
import io.ariadne.spill.fuzz.FaultyFiles;
import io.ariadne.spill.fuzz.FaultyMemory;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;

/**
 * What lets half of the queries that are compared with Spark run under faults: the n-th request of
 * memory is refused, the n-th opening, write or read of a spill file fails, or little memory is
 * left. The answer must be the same. A task that cannot survive a fault says so, and is tried again
 * by Spark; any other error of it is told, also when the next attempt gives the right answer.
 *
 * <p>Which queries these are, and what fails, follows from the printed seed and the query's text,
 * whatever runs before. Sessions whose settings name this class have the seam; nothing fails in it
 * but within {@link #run}.
 */
public final class InjectedFaults implements RuntimeAdjustment {
  /** Fewer than the attempts that Spark makes of a task, so that one of these meets no fault. */
  private static final int MOST_FAULTS = 3;

  /** Binary logarithms of how many calls there are on average for one that fails. */
  private static final int RARITIES = 9;

  /** Of the runs with faults, one in so many has little memory. */
  private static final int PRESSED = 6;

  /** Enough for what these queries need at once; what is at rest leaves memory. */
  private static final long LEAST_LEFT_BYTES = 32L << 20;

  private static final int MEMORY_SIZES = 3;
  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L;

  private static final Faults FAULTS = new Faults();
  private static final ReentrantLock TURN = new ReentrantLock();
  private static final AtomicInteger RUNS = new AtomicInteger();
  private static final AtomicInteger REFUSED = new AtomicInteger();
  private static final long SEED = Long.getLong("ariadne.test.seed", new Random().nextLong());

  /** Returns whether queries meet faults: with the system property ariadne.test.faults. */
  public static boolean isOn() {
    return Boolean.getBoolean("ariadne.test.faults");
  }

  /** Called by the plugin. */
  public InjectedFaults() {}

  @Override
  public RuntimeConfig adjust(RuntimeConfig config) {
    System.out.println("faults: -Dariadne.test.seed=" + SEED);
    RuntimeConfig adjusted =
        config.withMemory(config.memory().withAccess(real -> new FaultyMemory(real, FAULTS)));
    DiskSpillOptions spill = config.spill();
    return spill == null
        ? adjusted
        : adjusted.withSpill(
            spill.withDirectories(
                spill.directories().stream().map(path -> FaultyFiles.over(path, FAULTS)).toList()));
  }

  /**
   * Runs a query, by the seed with faults or without; those it does not survive make it run again.
   *
   * @param session where it runs
   * @param name what tells the query from others
   * @param query runs it and returns what came of it
   * @param failureOf returns the failure of an outcome, null for none
   * @throws AssertionError when a task failed otherwise than by a fault, and another attempt of it
   *     did not
   */
  public static <T> T run(
      SparkSession session, String name, Supplier<T> query, Function<T, Throwable> failureOf) {
    Random random = new Random((SEED ^ name.hashCode()) * SCRAMBLE);
    if (!isOn() || random.nextBoolean() || !TURN.tryLock()) {
      return query.get();
    }
    try {
      RUNS.incrementAndGet();
      T outcome = runWithFaults(session, random, query, failureOf);
      if (!TaskFailures.isInjected(failureOf.apply(outcome))) {
        return outcome;
      }
      REFUSED.incrementAndGet();
      return query.get();
    } finally {
      TURN.unlock();
    }
  }

  private static <T> T runWithFaults(
      SparkSession session, Random random, Supplier<T> query, Function<T, Throwable> failureOf) {
    try (TaskFailures failures = new TaskFailures(session.sparkContext())) {
      FAULTS.begin(random, 1 << random.nextInt(RARITIES), 1 + random.nextInt(MOST_FAULTS));
      T outcome;
      Reservation pressure = pressure(random);
      try {
        outcome = query.get();
      } finally {
        FAULTS.end();
        if (pressure != null) {
          pressure.close();
        }
      }
      if (failureOf.apply(outcome) == null) {
        failures.requireInjected(describe());
      }
      return outcome;
    }
  }

  /** Takes most of the memory, at times. */
  private static Reservation pressure(Random random) {
    MemoryPool pool = ProcessRuntime.get().pool();
    long left = LEAST_LEFT_BYTES << random.nextInt(MEMORY_SIZES);
    boolean isPressed = random.nextInt(PRESSED) == 0 && pool.availableBytes() > left;
    return isPressed ? pool.tryReserve("faults", pool.availableBytes() - left) : null;
  }

  /** Describes what failed in the last run with faults, for messages. */
  public static String describe() {
    StringBuilder text = new StringBuilder("faults by -Dariadne.test.seed=" + SEED + ":\n");
    for (Throwable each : FAULTS.struck()) {
      text.append(each.getMessage()).append('\n');
      for (StackTraceElement frame : each.getStackTrace()) {
        text.append("    at ").append(Objects.toString(frame)).append('\n');
      }
    }
    return text.toString();
  }

  /** Describes how many queries have met faults so far. */
  public static String summary() {
    return RUNS
        + " queries with faults, "
        + FAULTS.count()
        + " faults, "
        + TaskFailures.total()
        + " tasks failed by them, "
        + REFUSED
        + " queries run again";
  }
}
