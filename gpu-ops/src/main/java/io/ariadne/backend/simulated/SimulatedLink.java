package io.ariadne.backend.simulated;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One direction of the link to a simulated device. Transfers of several threads run one after the
 * other. Thread-safe.
 */
final class SimulatedLink {
  /** Shorter waits spin, because parking a thread takes about that long. */
  private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(60);

  private final double nanosPerByte;
  private final long latencyNanos;

  /** When the last accepted byte arrives. */
  private final AtomicLong busyUntil = new AtomicLong(System.nanoTime());

  SimulatedLink(SimulatedDevice device) {
    this.nanosPerByte =
        device.copyMegabytesPerSecond() == 0 ? 0 : 1000.0 / device.copyMegabytesPerSecond();
    this.latencyNanos = TimeUnit.MICROSECONDS.toNanos(device.latencyInMicros());
  }

  /** Returns when so many bytes will have arrived, as {@code System.nanoTime}. */
  long timeOfArrival(long lengthInBytes) {
    long now = System.nanoTime();
    long nanos = (long) (lengthInBytes * nanosPerByte);
    long end = busyUntil.updateAndGet(last -> Math.max(last - now, 0) + now + nanos);
    return end + latencyNanos;
  }

  /**
   * Waits until a time. An interrupt does not end the wait and stays pending, as with a real copy.
   */
  static void awaitTime(long time) {
    boolean interrupted = false;
    for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS / 2);
        interrupted |= Thread.interrupted();
      } else {
        Thread.onSpinWait();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
