package io.ariadne.io.s3;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Counts the failures of one read since it last had progress, and decides whether and when its
 * request is repeated. Guarded by its owner.
 */
final class Repetitions {
  private final Timing timing;
  private int failures;
  private int throttled;
  private long progressNanos = System.nanoTime();

  Repetitions(Timing timing) {
    this.timing = timing;
  }

  /** Returns how long to wait for the headers of the next answer. */
  Duration firstByte() {
    return timing.firstByte(failures);
  }

  /** Notes that bytes have arrived: earlier failures no longer count. */
  void progressed() {
    failures = 0;
    throttled = 0;
    progressNanos = System.nanoTime();
  }

  /**
   * Counts a failure that may be repeated.
   *
   * @return nanoseconds until the repetition; empty when there have been too many, or for too long
   */
  OptionalLong afterNanos(Throwable failure) {
    failures++;
    throttled += S3Failures.kind(failure) == S3Failures.Kind.THROTTLED ? 1 : 0;
    long wait = Math.max(timing.backOffNanos(failures), S3Failures.retryAfterNanos(failure));
    boolean isTooOften =
        throttled > timing.throttledRetries() || failures - throttled > timing.retries();
    boolean isTooLong = System.nanoTime() + wait - progressNanos > timing.patience().toNanos();
    return isTooOften || isTooLong ? OptionalLong.empty() : OptionalLong.of(wait);
  }
}
