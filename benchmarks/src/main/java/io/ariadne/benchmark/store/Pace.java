package io.ariadne.benchmark.store;

import java.util.concurrent.TimeUnit;

/**
 * Times of bytes on a link of a rate, by a virtual clock that may lag behind real time a little, so
 * that a late timer costs no rate. Not thread-safe.
 */
final class Pace {
  private static final long LAG_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
  private static final double NANOS_PER_SECOND = 1e9;

  private long free = Long.MIN_VALUE;

  /**
   * Takes the next time for some bytes.
   *
   * @param bytesPerSecond rate of the link; 0 for no limit
   * @return when the last of them has arrived, in nanoseconds of {@link System#nanoTime}
   */
  long reserve(long nowNanos, int bytes, long bytesPerSecond) {
    if (bytesPerSecond == 0) {
      return nowNanos;
    }
    boolean isLate = free == Long.MIN_VALUE || free - (nowNanos - LAG_NANOS) < 0;
    long start = isLate ? nowNanos - (free == Long.MIN_VALUE ? 0 : LAG_NANOS) : free;
    free = start + (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
    return free;
  }

  /** Starts the clock now when it lags behind: time that was not used does not add up. */
  void restart(long nowNanos) {
    if (free == Long.MIN_VALUE || free - nowNanos < 0) {
      free = nowNanos;
    }
  }
}
