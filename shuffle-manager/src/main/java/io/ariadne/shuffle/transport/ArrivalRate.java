package io.ariadne.shuffle.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** Measures how fast bytes of one peer lately arrived. Thread-safe. */
public final class ArrivalRate {
  /** Older bytes count half after as many. */
  private static final long HALF_BYTES = 4L << 20;

  /** Bytes of a measurement at least: fewer say more about the buffers on the way. */
  public static final long MIN_BYTES = 64 << 10;

  private static final double NANOS_PER_SECOND = 1e9;

  @GuardedBy("this")
  private double bytes;

  @GuardedBy("this")
  private double nanos;

  /** Creates a rate without measurements. */
  public ArrivalRate() {}

  /**
   * Notes that bytes have arrived without a pause of their sender.
   *
   * @param arrivedBytes their number; few are ignored
   * @param arrivalNanos from the byte before the first of them to the last one
   */
  public synchronized void arrived(long arrivedBytes, long arrivalNanos) {
    if (arrivedBytes < MIN_BYTES) {
      return;
    }
    bytes += arrivedBytes;
    nanos += Math.max(1, arrivalNanos);
    if (bytes > 2 * HALF_BYTES) {
      nanos *= HALF_BYTES / bytes;
      bytes = HALF_BYTES;
    }
  }

  /** Returns the rate; 0 without measurements. */
  public synchronized double bytesPerSecond() {
    return nanos == 0 ? 0 : bytes / nanos * NANOS_PER_SECOND;
  }
}
