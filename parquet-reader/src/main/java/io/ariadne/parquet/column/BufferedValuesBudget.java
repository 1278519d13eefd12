package io.ariadne.parquet.column;

/**
 * Limits the bytes of values that the columns of a split together buffer for their next windows.
 * Used by one thread.
 *
 * <p>Each column gets a part of the bytes that are left, so that the first column does not take
 * all. Every column may buffer a small minimum, so that its pages are not decoded again for each
 * window.
 */
final class BufferedValuesBudget {
  /** Bytes that all columns share, besides the minimum of each. */
  static final long SHARED_BYTES = 64 << 20;

  /** Bytes that a column may always buffer. */
  static final long MIN_BYTES = 1 << 20;

  private static final int PART = 4;

  private long taken;

  /** Returns the bytes that one more page may buffer. */
  long share() {
    return Math.max((SHARED_BYTES - taken) / PART, MIN_BYTES);
  }

  /** Records that bytes are buffered. */
  void take(long bytes) {
    taken += bytes;
  }

  /** Records that bytes are no longer buffered. */
  void give(long bytes) {
    taken -= bytes;
  }
}
