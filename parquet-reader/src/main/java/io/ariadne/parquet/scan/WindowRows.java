package io.ariadne.parquet.scan;

/**
 * Rows of the next window of a row group whose text the footer does not tell, as values are stored
 * as what differs from the one before: few at first, more while they are light, fewer after a
 * window that made more text than one may have. Used by one thread.
 */
final class WindowRows {
  /** Rows of the first window. */
  static final int FIRST_ROWS = 4096;

  private static final int GROWTH = 4;

  private final int most;
  private int rows;

  /**
   * Starts.
   *
   * @param most rows of a window whose text is light, a multiple of {@link WindowSize#STEP_ROWS}
   * @param isTextUnknown whether there may be more text than the footer says
   */
  WindowRows(int most, boolean isTextUnknown) {
    this.most = most;
    this.rows = isTextUnknown ? Math.min(most, FIRST_ROWS) : most;
  }

  /** Returns the rows of the next window, a multiple of {@link WindowSize#STEP_ROWS}. */
  int next() {
    return rows;
  }

  /**
   * Notes what a window has taken.
   *
   * @param windowRows its rows
   * @param textBytes text that was made for it
   */
  void add(int windowRows, long textBytes) {
    if (textBytes > WindowSize.MAX_DECOMPRESSED_BYTES) {
      rows = WindowSize.rows(textBytes, windowRows, rows);
    } else if (rows < most && textBytes <= WindowSize.MAX_DECOMPRESSED_BYTES / GROWTH) {
      rows = Math.min(most, rows * GROWTH);
    }
  }
}
