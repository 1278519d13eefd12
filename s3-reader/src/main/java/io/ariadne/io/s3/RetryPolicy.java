package io.ariadne.io.s3;

import java.util.OptionalLong;

/** Decides whether and when a failed request is retried. Thread-safe. */
public interface RetryPolicy {
  /** Status of a request that failed before the store answered. */
  int NO_ANSWER = 0;

  /**
   * Decides about the next attempt. Delays grow and are randomized, so that many readers do not
   * retry at the same time.
   *
   * @param attempts attempts made so far, at least 1
   * @param status HTTP status of the last one, or {@link #NO_ANSWER}
   * @param retryAfterMillis the delay that the store requested, or 0
   * @return milliseconds to wait, or empty when the failure is final
   */
  OptionalLong delayMillis(int attempts, int status, long retryAfterMillis);

  /**
   * Returns how long to wait for the first byte before the same request is sent a second time in
   * parallel; the slower answer is dropped.
   *
   * @param length bytes requested
   * @return milliseconds, or empty to never send a second request
   */
  OptionalLong hedgeAfterMillis(long length);
}
