package io.ariadne.fragment.admission;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How many bytes the drivers of a pipeline may hold: as output that the task has not taken, and
 * with their input in use. Not thread-safe: guarded by the fragment's lock.
 *
 * <p>While memory is plentiful, output may take a fixed limit, the share of one fragment if there
 * is one per thread. Input may take the shares of all fragments: a fragment alone has all threads,
 * and all of them shall work.
 *
 * <p>While memory is scarce, both together may take the fixed limit, and output no more than the
 * task takes ahead ({@link SourceBudget}): more would be spilled and read back before the task
 * comes to it. The budget starves no task: while no output waits, drivers may add some. Output that
 * waits may be of no use yet, where it keeps an order; so each time a task that takes output finds
 * none, its budget is doubled, up to the fixed limit. The oldest driver may work in any case (that
 * is the caller's rule).
 */
public final class InFlightBudget {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A call of a split or an operator lasts at most about 50 ms. */
  private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final double NANOS_PER_SECOND = 1e9;

  /** A task that takes batches one by one needs one to work on and one that is being made. */
  private static final int LEAST_BATCHES = 2;

  private final long fixedBytes;
  private final long mostBytes;
  private final BooleanSupplier scarce;
  private final LongSupplier clock;
  private final SourceBudget budget;
  private boolean wasScarce;
  private double bytesPerSecond;
  private long takenBytes;
  private long lastBytes;
  private boolean hasTaken;
  private boolean wasHungry;

  /**
   * Creates the budget of a pipeline.
   *
   * @param fixedBytes limit of output, and of all while memory is scarce
   * @param mostBytes limit of all while memory is plentiful, at least {@code fixedBytes}
   * @param scarce returns whether batches may soon be spilled; fast, takes no locks
   * @param clock returns the time in nanoseconds
   */
  public InFlightBudget(
      long fixedBytes, long mostBytes, BooleanSupplier scarce, LongSupplier clock) {
    this.fixedBytes = fixedBytes;
    this.mostBytes = mostBytes;
    this.scarce = scarce;
    this.clock = clock;
    this.wasScarce = scarce.getAsBoolean();
    this.budget =
        new SourceBudget(PERIOD_NANOS, AHEAD_NANOS, clock.getAsLong(), wasScarce ? 0 : fixedBytes);
  }

  /** Returns a budget that is the fixed limit at any time. */
  public static InFlightBudget fixed(long bytes) {
    return new InFlightBudget(bytes, bytes, () -> false, () -> 0);
  }

  /**
   * Returns whether a driver may add output or take more input.
   *
   * @param heldBytes bytes of input in use and of output that the task has not taken
   * @param outputBytes those of the output
   */
  public boolean allows(long heldBytes, long outputBytes) {
    boolean isOutputAllowed = outputBytes == 0 || outputBytes < limitBytes();
    return isOutputAllowed && heldBytes < (scarce.getAsBoolean() ? fixedBytes : mostBytes);
  }

  /** Returns the bytes that output may take now. */
  public long limitBytes() {
    boolean isScarce = scarce.getAsBoolean();
    long now = clock.getAsLong();
    boolean isDue = budget.isDue(now);
    if (isDue) {
      bytesPerSecond = takenBytes * NANOS_PER_SECOND / budget.age(now);
      takenBytes = 0;
    }
    if (isDue || isScarce != wasScarce) {
      long least = wasHungry ? budget.limitBytes() : 0;
      wasScarce = isScarce;
      wasHungry = false;
      budget.estimate(now, isScarce ? 0 : fixedBytes, bytesPerSecond);
      budget.raise(Math.min(least, fixedBytes));
    }
    return Math.min(fixedBytes, budget.limitBytes());
  }

  /** Notes that the task took a batch of output. */
  public void taken(long bytes) {
    takenBytes += bytes;
    lastBytes = bytes;
    hasTaken = true;
  }

  /**
   * Notes that the task found no output. Returns whether that has raised the budget, so that
   * drivers may continue.
   */
  public boolean foundNone() {
    long before = limitBytes();
    if (!hasTaken || before == fixedBytes) {
      return false;
    }
    hasTaken = false;
    wasHungry = true;
    budget.raise(Math.max(2 * before, LEAST_BATCHES * lastBytes));
    return limitBytes() > before;
  }
}
