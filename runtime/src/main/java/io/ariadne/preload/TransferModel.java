package io.ariadne.preload;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Estimates how long a request takes: a latency, plus its bytes divided by a rate. Fitted to recent
 * requests by least squares with exponentially decreasing weights. Thread-safe.
 */
final class TransferModel {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Weight of a request relative to the next one. */
  private static final double DECAY = 0.98;

  private static final double LEAST_LATENCY_NANOS = 20_000;
  private static final double LEAST_BYTES_PER_NANO = 1e6 / NANOS_PER_SECOND;
  private static final double MOST_BYTES_PER_NANO = 20e9 / NANOS_PER_SECOND;

  /** The transfer takes at least this part of a request's time, whatever the latency is. */
  private static final int SMALLEST_SHARE = 20;

  /** A first guess: 5 ms, 100 MB/s. */
  private static final double FIRST_LATENCY_NANOS = 5e6;

  private static final double FIRST_BYTES_PER_NANO = 100e6 / NANOS_PER_SECOND;
  private static final long[] FIRST_LENGTHS = {64 << 10, 4 << 20};

  @GuardedBy("this")
  private double weight;

  @GuardedBy("this")
  private double bytes;

  @GuardedBy("this")
  private double nanos;

  @GuardedBy("this")
  private double bytesSquared;

  @GuardedBy("this")
  private double bytesTimesNanos;

  /** The latency that the reader has measured, 0 for none. */
  @GuardedBy("this")
  private long knownLatencyNanos;

  TransferModel() {
    for (long length : FIRST_LENGTHS) {
      add(length, (long) (FIRST_LATENCY_NANOS + length / FIRST_BYTES_PER_NANO));
    }
  }

  /**
   * Adds a request that has succeeded.
   *
   * @param length its bytes
   * @param elapsedNanos how long it took
   * @param firstByteNanos how long requests take until the first byte, 0 when unknown: then the
   *     latency follows from requests of different lengths
   */
  synchronized void add(long length, long elapsedNanos, long firstByteNanos) {
    knownLatencyNanos = firstByteNanos;
    add(length, elapsedNanos);
  }

  private synchronized void add(long length, long elapsedNanos) {
    double x = length;
    double y = elapsedNanos;
    weight = weight * DECAY + 1;
    bytes = bytes * DECAY + x;
    nanos = nanos * DECAY + y;
    bytesSquared = bytesSquared * DECAY + x * x;
    bytesTimesNanos = bytesTimesNanos * DECAY + x * y;
  }

  /** Returns the rate of one request after its latency, in bytes per nanosecond. */
  synchronized double bytesPerNano() {
    if (knownLatencyNanos > 0) {
      double transfer = Math.max(nanos - weight * knownLatencyNanos, nanos / SMALLEST_SHARE);
      return Math.max(LEAST_BYTES_PER_NANO, Math.min(bytes / transfer, MOST_BYTES_PER_NANO));
    }
    double spread = weight * bytesSquared - bytes * bytes;
    double slope = spread <= 0 ? 0 : (weight * bytesTimesNanos - bytes * nanos) / spread;
    double rate = slope <= 0 ? MOST_BYTES_PER_NANO : 1 / slope;
    return Math.max(LEAST_BYTES_PER_NANO, Math.min(rate, MOST_BYTES_PER_NANO));
  }

  /** Returns the time of a request without bytes, in nanoseconds. */
  synchronized double latencyNanos() {
    if (knownLatencyNanos > 0) {
      return Math.max(LEAST_LATENCY_NANOS, knownLatencyNanos);
    }
    return Math.max(LEAST_LATENCY_NANOS, (nanos - bytes / bytesPerNano()) / weight);
  }

  /** Returns the expected time of a request, in nanoseconds. */
  synchronized double expectedNanos(long length) {
    return latencyNanos() + length / bytesPerNano();
  }

  /** Returns how many bytes arrive in the time of the latency. */
  synchronized double bytesPerLatency() {
    return latencyNanos() * bytesPerNano();
  }
}
