package io.ariadne.io.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;

/**
 * How long the recent requests of a store took until the first byte, and whether a late request may
 * get a second one. Thread-safe.
 *
 * <p>A request is late after the time within which 99 of 100 requests had their first byte, or
 * after three times the time of 95 of 100 if that is sooner: otherwise a store of which one request
 * in a hundred is slow would have a slow 99th percentile, and no request would be late (Dean and
 * Barroso, The Tail at Scale, 2013). Second requests are at most one of {@value
 * #REQUESTS_PER_HEDGE} in the long run.
 */
final class FirstByteTimes {
  /** With this floor, no request is late. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int KEPT = 256;
  private static final int FOLLOWED = 16;
  private static final int NEEDED = 64;
  private static final int SORT_EVERY = 32;
  private static final int REQUESTS_PER_HEDGE = 33;
  private static final int MOST_SAVED = 8 * REQUESTS_PER_HEDGE;
  private static final double LATE = 0.99;
  private static final double USUAL = 0.95;
  private static final int USUAL_TIMES = 3;

  private final long floorNanos;

  @GuardedBy("this")
  private final long[] times = new long[KEPT];

  @GuardedBy("this")
  private long count;

  @GuardedBy("this")
  private long usualNanos;

  @GuardedBy("this")
  private int savings;

  @GuardedBy("this")
  private long lateNanos = NEVER;

  /**
   * Creates an empty record.
   *
   * @param floorNanos no request is late sooner; {@link #NEVER} for none at all
   */
  FirstByteTimes(long floorNanos) {
    this.floorNanos = floorNanos;
  }

  /** Adds the time of a request. */
  synchronized void add(long nanos) {
    // Slow requests must not count for more than they are: the mean follows by a sixteenth at most.
    long bounded = count == 0 ? nanos : Math.min(nanos, 2 * usualNanos);
    usualNanos = count == 0 ? nanos : usualNanos + (bounded - usualNanos) / FOLLOWED;
    times[(int) (count % KEPT)] = nanos;
    count++;
    savings = Math.min(MOST_SAVED, savings + 1);
    if (count >= NEEDED && count % SORT_EVERY == 0) {
      int kept = (int) Math.min(count, KEPT);
      long[] sorted = Arrays.copyOf(times, kept);
      Arrays.sort(sorted);
      long usual = USUAL_TIMES * sorted[(int) (USUAL * kept)];
      lateNanos = Math.max(floorNanos, Math.min(usual, sorted[(int) (LATE * kept)]));
    }
  }

  /** Returns how long requests take as a rule, 0 while unknown. */
  synchronized long usualNanos() {
    return usualNanos;
  }

  /** Returns the time after which a request is late, {@link #NEVER} while unknown. */
  synchronized long lateNanos() {
    return lateNanos;
  }

  /** Returns whether a second request may be sent now; it then is part of the budget. */
  synchronized boolean takeHedge() {
    if (savings < REQUESTS_PER_HEDGE) {
      return false;
    }
    savings -= REQUESTS_PER_HEDGE;
    return true;
  }

  /** Gives back what {@link #takeHedge} took: no request was sent. */
  synchronized void returnHedge() {
    savings = Math.min(MOST_SAVED, savings + REQUESTS_PER_HEDGE);
  }
}
