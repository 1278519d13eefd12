package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.parquet.page.Page;

/** A page, its first row in the row group, and how far its values have been walked. */
final class PageCursor implements AutoCloseable {
  private final Page page;
  private final long firstRow;

  /** Dense values passed so far by a decoder that has to walk, and the bytes they took. */
  int walkedValues;

  long walkedBytes;

  /** Where the definition levels go on. */
  final HybridRunCursor levels = new HybridRunCursor();

  /** Where dictionary ids, or booleans of runs, go on. */
  final HybridRunCursor ids = new HybridRunCursor();

  private PageRest kept;

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

  /** Returns decoded values for the windows that follow, null for none. */
  PageRest kept() {
    return kept;
  }

  /** Keeps decoded values, owned by this from now on, in place of others. */
  void keep(PageRest values) {
    if (kept != null) {
      kept.close();
    }
    kept = values;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(kept);
    kept = null;
    closer.close(page);
    closer.rethrow();
  }
}
