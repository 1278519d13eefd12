package io.ariadne.shuffle.transport.ucx;

import io.ariadne.shuffle.transport.ArrivalRate;
import java.util.function.LongSupplier;

/**
 * Measures how fast the parts of replies of one connection arrive. All parts of a reply are
 * announced at once, and share the link: their bytes count over the time in which any part is under
 * way. Used by the thread of the loop.
 */
final class PartArrivals {
  private final ArrivalRate rate;
  private final LongSupplier nanoTime;
  private int underWay;

  /** Since when bytes are counted. */
  private long sinceNanos;

  private long bytes;

  /**
   * Creates an instance.
   *
   * @param rate gets the measurements
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  PartArrivals(ArrivalRate rate, LongSupplier nanoTime) {
    this.rate = rate;
    this.nanoTime = nanoTime;
  }

  ArrivalRate rate() {
    return rate;
  }

  /** A part that UCX fetches is under way. */
  void begins() {
    if (underWay++ == 0) {
      sinceNanos = nanoTime.getAsLong();
      bytes = 0;
    }
  }

  /**
   * A part is not under way any more.
   *
   * @param lengthInBytes what has arrived; 0 when it has failed
   */
  void ends(long lengthInBytes) {
    underWay--;
    bytes += lengthInBytes;
    if (bytes >= ArrivalRate.MIN_BYTES || underWay == 0) {
      long now = nanoTime.getAsLong();
      rate.arrived(bytes, now - sinceNanos);
      sinceNanos = now;
      bytes = 0;
    }
  }

  /** A part is there with its announcement: nothing tells how long it was on the way. */
  void arrivedAtOnce(long lengthInBytes) {
    if (underWay > 0) {
      bytes += lengthInBytes;
    }
  }
}
