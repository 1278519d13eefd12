package io.ariadne.fragment;

import java.util.concurrent.TimeUnit;

/**
 * Measures how long pulls of an input take, and how long the next pull may be delayed.
 *
 * <p>The task thread cannot return output during a pull. So work that is about to emit output gets
 * a share of the time that the next pull will probably take: a slow input does not hold up the
 * output of fast work, and is delayed by no more than that share. Used by the task thread only.
 */
final class InputPace {
  /** Faster inputs are not delayed: a wait would cost more than it gains. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(8);

  private static final int SHARE = 8;

  private long lastNanos;
  private long endNanos;

  /**
   * Notes that a pull has ended.
   *
   * @return the nanoseconds that it took
   */
  long pulled(long startNanos) {
    endNanos = System.nanoTime();
    lastNanos = endNanos - startNanos;
    return lastNanos;
  }

  /** Returns for how much longer the next pull may be delayed; not positive if it may not. */
  long maxDelayNanos() {
    return lastNanos < SLOW_NANOS ? 0 : lastNanos / SHARE - (System.nanoTime() - endNanos);
  }
}
