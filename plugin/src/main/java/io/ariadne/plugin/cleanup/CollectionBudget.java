package io.ariadne.plugin.cleanup;

import java.time.Duration;

/**
 * Limits the time that collections take. After a collection there is none for fifty times as long.
 * One that is expected to take more than half a second is allowed every ten minutes: three times as
 * often as Spark collects anyway ({@code spark.cleaner.periodicGC.interval}).
 *
 * <p>Not thread-safe.
 */
final class CollectionBudget {
  /** Time between collections, in durations of the last one: they take at most 2 %. */
  private static final int INTERVAL = 50;

  private static final long LONG_NANOS = Duration.ofMillis(500).toNanos();
  private static final long LONG_INTERVAL_NANOS = Duration.ofMinutes(10).toNanos();

  /** What the first collection is expected to take: most bytes of a heap are not live. */
  private static final double FIRST_NANOS_PER_BYTE = 0.2;

  private final long beginNanos;
  private long endNanos;

  /** How long the last collection took; negative before the first. */
  private long lastNanos = -1;

  /**
   * Creates a budget.
   *
   * @param now the time, of {@link System#nanoTime}
   */
  CollectionBudget(long now) {
    beginNanos = now;
  }

  /**
   * Returns whether a collection may start.
   *
   * @param now the time
   * @param heapBytes used bytes of the heap
   */
  boolean allows(long now, long heapBytes) {
    if (lastNanos < 0) {
      return heapBytes * FIRST_NANOS_PER_BYTE <= LONG_NANOS
          || now - beginNanos >= LONG_INTERVAL_NANOS;
    }
    long pause = INTERVAL * lastNanos;
    return now - endNanos
        >= (lastNanos > LONG_NANOS ? Math.max(pause, LONG_INTERVAL_NANOS) : pause);
  }

  /**
   * Records a collection.
   *
   * @param end the time of its end
   * @param nanos how long it took
   */
  void spent(long end, long nanos) {
    endNanos = end;
    lastNanos = nanos;
  }
}
