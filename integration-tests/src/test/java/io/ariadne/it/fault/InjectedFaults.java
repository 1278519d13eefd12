package io.ariadne.it.fault;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.executor.RuntimeAdjustment;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import io.ariadne.spill.WaitTimes;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.fuzz.Faults;
import io.ariadne.spill.fuzz.FaultyFiles;
import io.ariadne.spill.fuzz.FaultyMemory;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * What lets half of the queries that are compared with Spark run under faults: little memory is
 * left, so that all spillable batches go to disk, the n-th request of memory is refused, alone or
 * with those that make it again, the n-th opening, write or read of a spill file fails. The answer
 * must be the same. A task that cannot survive a fault says so, and is tried again by Spark; any
 * other error of it is told, also when the next attempt gives the right answer. So is every error
 * that an attempt had without faults.
 *
 * <p>Which queries these are, and what fails, follows from the printed seed and the query's text,
 * whatever runs before. Sessions whose settings name this class have the seam; nothing fails in it
 * but within {@link #run}.
 */
public final class InjectedFaults implements RuntimeAdjustment {
  /** Fewer than the attempts of a task, so that one attempt has no fault. */
  private static final int MOST_FAULTS = 3;

  /** Binary logarithms of the average number of calls per failing call. */
  private static final int RARITIES = 9;

  /** Enough for the working memory of queries over little data; spillable batches go to disk. */
  public static final long LEAST_LEFT_BYTES = 32L << 20;

  private static final int MEMORY_SIZES = 3;

  /** System property: rows of a batch that an application reads, if not the runtime's default. */
  public static final String BATCH_ROWS = "ariadne.test.batchRows";

  /**
   * What is refused at once instead of after a second is refused all the same, unless there is more
   * to be moved than a disk takes in that time: the system property ariadne.test.waits is full
   * then.
   */
  private static final WaitTimes WAITS =
      "full".equals(System.getProperty("ariadne.test.waits"))
          ? WaitTimes.DEFAULT
          : new WaitTimes(Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofMillis(50));

  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L;

  private static final Faults FAULTS = new Faults();
  private static final ReentrantLock ONE_QUERY_AT_A_TIME = new ReentrantLock();
  private static final AtomicInteger RUNS = new AtomicInteger();
  private static final AtomicInteger REFUSED = new AtomicInteger();
  private static final AtomicInteger FAILED_TASKS = new AtomicInteger();

  /** So many runs say how many queries come through. */
  private static final int RUNS_THAT_TELL = 40;

  /** Of these runs, one in so many may end without an answer, with a clear error. */
  private static final int REFUSED_SHARE = 4;

  private static TaskFailures failures;
  private static final long SEED = Long.getLong("ariadne.test.seed", new Random().nextLong());

  /**
   * Returns whether queries meet faults: unless the system property ariadne.test.faults is false.
   */
  public static boolean isOn() {
    return !"false".equals(System.getProperty("ariadne.test.faults"));
  }

  /** Called by the plugin. */
  public InjectedFaults() {}

  @Override
  public RuntimeConfig adjust(RuntimeConfig config) {
    System.out.println("faults: -Dariadne.test.seed=" + SEED);
    RuntimeConfig adjusted =
        config
            .withMemory(
                config.memory().withAccess(real -> new FaultyMemory(real, FAULTS)).withWaits(WAITS))
            .withBatchRows(Integer.getInteger(BATCH_ROWS, config.batchRows()));
    DiskSpillOptions spill = config.spill();
    return spill == null
        ? adjusted
        : adjusted.withSpill(
            spill.withDirectories(
                spill.directories().stream().map(path -> FaultyFiles.over(path, FAULTS)).toList()));
  }

  /**
   * Watches a session for tasks that fail and are tried again.
   *
   * @param context the session's
   */
  public static synchronized void watch(SparkContext context) {
    if (failures == null || !failures.isOf(context)) {
      failures = new TaskFailures(context);
    }
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
    if (!isOn() || random.nextBoolean() || !ONE_QUERY_AT_A_TIME.tryLock()) {
      return query.get();
    }
    try {
      watch(session.sparkContext());
      requireNoneFailed(true, failure -> false);
      RUNS.incrementAndGet();
      Faulted<T> run = runWithFaults(random, query);
      Throwable failure = failureOf.apply(run.outcome);
      boolean isRefused = TaskFailures.isOfFaults(failure);
      if (isRefused && !run.hadFaults) {
        throw new AssertionError("an error of faults, of which there were none", failure);
      }
      if (!isRefused) {
        return run.outcome;
      }
      REFUSED.incrementAndGet();
      return query.get();
    } finally {
      ONE_QUERY_AT_A_TIME.unlock();
    }
  }

  /** What came of a query, and whether any fault struck or little memory was left. */
  private record Faulted<T>(T outcome, boolean hadFaults) {}

  private static <T> Faulted<T> runWithFaults(Random random, Supplier<T> query) {
    FAULTS.begin(random, 1 << random.nextInt(RARITIES), 1 + random.nextInt(MOST_FAULTS));
    T outcome;
    Reservation pressure = pressure(LEAST_LEFT_BYTES << random.nextInt(MEMORY_SIZES));
    try {
      outcome = query.get();
    } finally {
      FAULTS.end();
      if (pressure != null) {
        pressure.close();
      }
    }
    boolean hadFaults = pressure != null || !FAULTS.struck().isEmpty();
    for (TaskFailures.Survived each : failures.take(false)) {
      if (!hadFaults || !isOfFaults(each.failure())) {
        throw new AssertionError(each.failure().toErrorString() + '\n' + describe());
      }
      FAILED_TASKS.incrementAndGet();
    }
    return new Faulted<>(outcome, hadFaults);
  }

  /**
   * Runs something in so little memory that what is spillable goes to disk.
   *
   * @param left bytes that are left, {@link #LEAST_LEFT_BYTES} or more
   */
  public static <T> T runInLittleMemory(long left, Supplier<T> work) {
    Reservation pressure = pressure(left);
    try {
      return work.get();
    } finally {
      if (pressure != null) {
        pressure.close();
      }
    }
  }

  /**
   * Takes most of the memory.
   *
   * @return null when there is too little of it already
   */
  private static Reservation pressure(long left) {
    MemoryPool pool = ProcessRuntime.get().pool();
    long taken = pool.availableBytes() - left; // asked once: queries that run beside take some
    return taken > 0 ? pool.tryReserve("faults", taken) : null;
  }

  /**
   * Fails when a task has failed without faults, though its next attempt did not.
   *
   * @throws AssertionError with its error
   */
  public static void requireNoneFailed() {
    requireNoneFailed(false, failure -> false);
  }

  /**
   * Fails as {@link #requireNoneFailed()} does, but for failures that a test has caused itself.
   *
   * @param isExpected whether the test has caused a failure
   * @throws AssertionError with the first other one
   */
  public static void requireNoneFailedBut(Predicate<Throwable> isExpected) {
    requireNoneFailed(false, isExpected);
  }

  private static void requireNoneFailed(
      boolean isFollowedByFaults, Predicate<Throwable> isExpected) {
    TaskFailures watched = failures;
    if (watched == null) {
      return;
    }
    for (TaskFailures.Survived each : watched.take(isFollowedByFaults)) {
      boolean isOfFaults = each.isUnderFaults() && isOfFaults(each.failure());
      if (!isOfFaults && !each.failure().exception().exists(isExpected::test)) {
        throw new AssertionError(
            "a task failed and was tried again: " + each.failure().toErrorString());
      }
    }
  }

  private static boolean isOfFaults(ExceptionFailure failure) {
    return failure.exception().isDefined() && TaskFailures.isOfFaults(failure.exception().get());
  }

  /**
   * Fails unless most queries came through their faults.
   *
   * @throws AssertionError with the numbers
   */
  public static void requireSurvival() {
    if (RUNS.get() >= RUNS_THAT_TELL && REFUSED.get() * REFUSED_SHARE > RUNS.get()) {
      throw new AssertionError(summary());
    }
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
        + "faults "
        + FAULTS.counts()
        + ", "
        + FAILED_TASKS
        + " tasks failed by them, "
        + REFUSED
        + " queries run again";
  }
}
