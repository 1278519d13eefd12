package io.ariadne.parquet.column;

import io.ariadne.parquet.page.Page;

/** A page, its first row in the row group, and how far its values have been walked. */
final class PageCursor implements AutoCloseable {
  private final Page page;
  private final long firstRow;

  /** Dense values passed so far by a decoder that has to walk, and the bytes they took. */
  int walkedValues;

  long walkedBytes;

  PageCursor(Page page, long firstRow) {
    this.page = page;
    this.firstRow = firstRow;
  }

  Page page() {
    return page;
  }

  long firstRow() {
    return firstRow;
  }

  long endRow() {
    return firstRow + page.valueCount();
  }

  @Override
  public void close() {
    page.close();
  }
}
