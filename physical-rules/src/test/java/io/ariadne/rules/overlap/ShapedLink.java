package io.ariadne.rules.overlap;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** A resource that passes bytes one after the other at a fixed rate. Thread-safe. */
final class ShapedLink {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double nanosPerByte;

  /** When the last byte so far has passed, as of {@link System#nanoTime}. */
  @GuardedBy("this")
  private long freeAt = System.nanoTime();

  @GuardedBy("this")
  private long bytes;

  /**
   * Creates a link.
   *
   * @param bytesPerSecond its rate; infinity for none
   */
  ShapedLink(double bytesPerSecond) {
    this.nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
  }

  /**
   * Takes the link for some bytes, after all earlier ones.
   *
   * @param count the bytes
   * @param readyAt when the first of them could pass, as of {@link System#nanoTime}
   * @return when the last of them has passed
   */
  synchronized long take(long count, long readyAt) {
    long start = freeAt - readyAt > 0 ? freeAt : readyAt;
    freeAt = start + (long) (count * nanosPerByte);
    bytes += count;
    return freeAt;
  }

  /** Takes the link for bytes that have waited for it since the last ones; as {@link #take}. */
  synchronized long takeNext(long count) {
    return take(count, freeAt);
  }

  /** Returns the bytes so far. */
  synchronized long bytes() {
    return bytes;
  }

  /** Returns how long the link has been in use, in seconds. */
  synchronized double busySeconds() {
    return bytes * nanosPerByte / NANOS_PER_SECOND;
  }
}
