package io.ariadne.fragment.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.fragment.admission.SourceBudget;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the memory that the started splits of all fragments of a process hold, by their own
 * estimates. Thread-safe.
 *
 * <p>Every pipeline may always start one split; further ones start only within a limit. So a single
 * fragment uses all threads, while many fragments do not hold splits for (threads x threads).
 *
 * <p>While all started splits are of one pipeline, they may hold what other uses of the memory
 * leave, if that is more than the limit: otherwise threads would idle although memory is free. What
 * is left is measured once a second.
 */
public final class SplitMemory {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long limitInBytes;
  private final LongSupplier freeBytes;
  private final LongSupplier clock;

  /** What the splits of a single pipeline may hold; null until it is needed. */
  @GuardedBy("this")
  private SourceBudget left;

  @GuardedBy("this")
  private long heldBytes;

  /** The held bytes when {@link #left} was last estimated, or fewer if splits have ended since. */
  @GuardedBy("this")
  private long heldSinceEstimate;

  /**
   * Creates the account of a process with a fixed limit.
   *
   * @param limitInBytes limit for splits that are not the only one of their pipeline
   */
  public SplitMemory(long limitInBytes) {
    this(limitInBytes, () -> 0, () -> 0);
  }

  /**
   * Creates the account of a process.
   *
   * @param limitInBytes limit for splits that are not the only one of their pipeline, at least
   * @param freeBytes returns the memory that may be allocated before batches are spilled; may be
   *     negative. Takes no locks
   * @param clock returns the time in nanoseconds
   */
  public SplitMemory(long limitInBytes, LongSupplier freeBytes, LongSupplier clock) {
    this.limitInBytes = limitInBytes;
    this.freeBytes = freeBytes;
    this.clock = clock;
  }

  /**
   * Acquires the memory of a split unless it exceeds the limit.
   *
   * @param bytes memory that the split holds
   * @param ownBytes memory that the started splits of its pipeline hold
   * @param isOnly whether its pipeline has no other split: then it may start in any case
   * @return whether it may start; if so, {@link #release} must follow
   */
  public synchronized boolean tryAcquire(long bytes, long ownBytes, boolean isOnly) {
    boolean fits = isOnly || bytes <= limitInBytes - heldBytes;
    if (!fits && (ownBytes != heldBytes || bytes > leftBytes())) {
      return false;
    }
    heldBytes += bytes;
    return true;
  }

  /**
   * Returns what the splits of a single pipeline may still acquire: what they may hold since the
   * last estimate, and no more than is free now.
   *
   * <p>Memory in use is that of splits or of others. Splits that started since the last estimate
   * may not have allocated theirs yet: it is not taken for memory in use by splits.
   */
  @GuardedBy("this")
  private long leftBytes() {
    long now = clock.getAsLong();
    long free = freeBytes.getAsLong();
    if (left == null || left.isDue(now)) {
      long capacity = Math.max(0, free + heldSinceEstimate);
      left = left == null ? new SourceBudget(PERIOD_NANOS, 0, now, capacity) : left;
      left.estimate(now, capacity, 0);
      heldSinceEstimate = heldBytes;
    }
    return Math.min(free, left.bytes(heldBytes));
  }

  /** Releases what was acquired. */
  public synchronized void release(long bytes) {
    heldBytes -= bytes;
    heldSinceEstimate = Math.min(heldSinceEstimate, heldBytes);
  }

  /** Returns the acquired bytes. */
  public synchronized long heldBytes() {
    return heldBytes;
  }
}
