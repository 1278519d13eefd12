package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.parquet.page.Page;

/** A page of a nested column's leaf, and where its rows begin. */
final class LeveledPage implements AutoCloseable {
  private final PageCursor cursor;
  private final long firstRow;
  private final int rows;
  private final MemoryBuffer starts;
  private final DecodeContext context;

  /**
   * Creates a page.
   *
   * @param page loaded, owned by this
   * @param firstRow number in the row group of the first row that begins in the page
   * @param rows rows that begin in it
   * @param starts the entry each begins with, then the number of entries, owned by this; null when
   *     every entry is a row
   * @param context reads the starts
   */
  LeveledPage(Page page, long firstRow, int rows, MemoryBuffer starts, DecodeContext context) {
    this.cursor = new PageCursor(page, firstRow);
    this.firstRow = firstRow;
    this.rows = rows;
    this.starts = starts;
    this.context = context;
  }

  /** Returns the number of the first row that begins behind this page. */
  long endRow() {
    return firstRow + rows;
  }

  /** Returns the entry that a row begins with: 0 for one before, the last's end for one behind. */
  int entryOf(long row) {
    if (row < firstRow) {
      return 0;
    }
    if (row >= endRow()) {
      return cursor.page().valueCount();
    }
    int index = (int) (row - firstRow);
    return starts == null ? index : context.readInt(starts, (long) index * Integer.BYTES);
  }

  /**
   * Returns the part of the page in a window of rows.
   *
   * @param from its first row
   * @param end the row behind it
   * @param firstEntry entries of the window before this page
   * @return the part, null when it is empty
   */
  PageWindow part(long from, long end, int firstEntry) {
    int first = entryOf(from);
    int count = entryOf(end) - first;
    return count <= 0 ? null : new PageWindow(cursor, first, count, firstEntry);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(starts);
    closer.close(cursor);
    closer.rethrow();
  }
}
