package io.ariadne.parquet.scan;

/**
 * Chooses the size of the next window of a row group whose amount of text the footer does not tell,
 * because values share prefixes with earlier ones. Windows begin small, grow while they contain
 * little text, and shrink after a window with more text than the limit. Used by one thread.
 */
final class WindowRows {
  /** Rows of the first window. */
  static final int FIRST_ROWS = 4096;

  private static final int GROWTH = 4;

  private final int most;
  private int rows;

  /**
   * Starts with a small window if the amount of text is unknown.
   *
   * @param most rows of a window with little text, a multiple of {@link WindowSize#STEP_ROWS}
   * @param isTextUnknown whether there may be more text than the footer tells
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
   * Records the size of a window.
   *
   * @param windowRows rows of the window
   * @param textBytes text that was made for it
   */
  void add(int windowRows, long textBytes) {
    long limit = WindowLimits.HOST_BYTES;
    if (textBytes > limit) {
      rows = WindowSize.rows(textBytes, windowRows, new WindowLimits(rows, limit));
    } else if (rows < most && textBytes <= limit / GROWTH) {
      rows = Math.min(most, rows * GROWTH);
    }
  }
}
