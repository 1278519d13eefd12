package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.parquet.page.Page;

/**
 * A page with its first row in the row group, and the position up to which its values have been
 * decoded.
 */
final class PageCursor implements AutoCloseable {
  private final Page page;
  private final long firstRow;

  /** Dense values that a sequential decoder has passed so far, and the bytes they took. */
  int walkedValues;

  long walkedBytes;

  /** Where decoding of definition levels continues. */
  final HybridRunCursor levels = new HybridRunCursor();

  /** Where decoding of dictionary ids, or of booleans in runs, continues. */
  final HybridRunCursor ids = new HybridRunCursor();

  private BufferedValues buffered;

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

  /** Returns the decoded values that are buffered for the following windows, null for none. */
  BufferedValues buffered() {
    return buffered;
  }

  /** Replaces the buffered values and takes ownership of the new ones. */
  void buffer(BufferedValues values) {
    if (buffered != null) {
      buffered.close();
    }
    buffered = values;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(buffered);
    buffered = null;
    closer.close(page);
    closer.rethrow();
  }
}
