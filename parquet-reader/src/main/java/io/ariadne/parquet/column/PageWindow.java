package io.ariadne.parquet.column;

import io.ariadne.parquet.page.Page;

/** The part of a page that a window of rows covers. */
final class PageWindow {
  /** The page. */
  final PageCursor cursor;

  /** Rows of the page before the window's first. */
  final int skip;

  /** Rows of the page in the window. */
  final int rows;

  /** Index of the first of these rows within the window. */
  final int firstRow;

  /** Whether the page has rows after the window: the next window begins there. */
  boolean goesOn;

  /** Dense values of the page before the window's first. */
  int denseSkip;

  /** Dense values of the page in the window. */
  int denseCount;

  /** Dense values of the window's earlier pages. */
  int denseStart;

  PageWindow(PageCursor cursor, int skip, int rows, int firstRow) {
    this.cursor = cursor;
    this.skip = skip;
    this.rows = rows;
    this.firstRow = firstRow;
  }

  Page page() {
    return cursor.page();
  }
}
