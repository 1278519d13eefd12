package io.ariadne.io.s3;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When a request has taken too long, and when and how often it is repeated.
 *
 * @param firstByte longest wait for the headers of an answer; doubled with each of the first two
 *     repetitions, so that a slow store is read at last
 * @param stall longest wait for more of a body
 * @param backOff longest wait before the first repetition; doubled with each further one
 * @param longestBackOff longest wait before any repetition
 * @param hedgeFloor no second request is sent sooner
 * @param patience longest time without a byte before a read fails
 * @param retries repetitions without a byte in between
 * @param throttledRetries the same for requests that the store refused because there were too many
 */
record Timing(
    Duration firstByte,
    Duration stall,
    Duration backOff,
    Duration longestBackOff,
    Duration hedgeFloor,
    Duration patience,
    int retries,
    int throttledRetries) {
  private static final int WAIT_DOUBLINGS = 2;
  private static final int MOST_DOUBLINGS = 16;

  /** Returns the times for reading, with S3A's limits of repetitions. */
  static Timing of(int retries, int throttledRetries) {
    return new Timing(
        Duration.ofSeconds(30),
        Duration.ofSeconds(15),
        Duration.ofMillis(100),
        Duration.ofSeconds(20),
        Duration.ofMillis(20),
        Duration.ofMinutes(5),
        retries,
        throttledRetries);
  }

  /** Returns how long to wait for the headers of an answer. */
  Duration firstByte(int failures) {
    return firstByte.multipliedBy(1L << Math.min(WAIT_DOUBLINGS, failures));
  }

  /**
   * Returns how long to wait before a repetition: any time up to the exponential back-off, so that
   * clients which failed together do not return together ("full jitter").
   *
   * @param failures failed requests since the last byte, at least 1
   */
  long backOffNanos(int failures) {
    long most = backOff.toNanos() << Math.min(MOST_DOUBLINGS, failures - 1);
    return ThreadLocalRandom.current().nextLong(Math.min(most, longestBackOff.toNanos()) + 1);
  }
}
