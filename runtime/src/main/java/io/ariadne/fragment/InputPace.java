package io.ariadne.fragment;

import java.util.concurrent.TimeUnit;

/**
 * How long the last pull of an input took, and how long the next may therefore be put off.
 *
 * <p>The task thread cannot return output while an input keeps it. So work that is about to yield
 * some gets a share of the time that the next pull will probably take: output of fast work is not
 * held up by a slow input, and the input is slowed down by no more than that share. Used by the
 * pump alone.
 */
final class InputPace {
  /** Putting off is not worth a wait for inputs that are faster than this. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(8);

  private static final int SHARE = 8;

  private long lastNanos;
  private long endNanos;

  /** Notes that a pull has ended and returns how many nanoseconds it took. */
  long pulled(long startNanos) {
    endNanos = System.nanoTime();
    lastNanos = endNanos - startNanos;
    return lastNanos;
  }

  /** Returns for how long the next pull may be put off from now on; not positive for not at all. */
  long patienceNanos() {
    return lastNanos < SLOW_NANOS ? 0 : lastNanos / SHARE - (System.nanoTime() - endNanos);
  }
}
