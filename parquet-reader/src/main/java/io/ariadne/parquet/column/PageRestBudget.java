package io.ariadne.parquet.column;

/**
 * Bytes of values that the columns of a split keep for their next windows, together. Used by one
 * thread.
 *
 * <p>Each gets a part of what the others have left, so that the first does not take all; one that
 * comes late still gets a little, so that its pages are not decoded again for each window.
 */
final class PageRestBudget {
  /** Bytes of all columns, besides the least of each. */
  static final long TOTAL_BYTES = 64 << 20;

  /** Bytes that a column may always keep. */
  static final long LEAST_BYTES = 1 << 20;

  private static final int PART = 4;

  private long taken;

  /** Returns the bytes that one more page may keep. */
  long share() {
    return Math.max((TOTAL_BYTES - taken) / PART, LEAST_BYTES);
  }

  /** Notes that bytes are kept. */
  void take(long bytes) {
    taken += bytes;
  }

  /** Notes that bytes are no longer kept. */
  void give(long bytes) {
    taken -= bytes;
  }
}
