package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;

/**
 * Consecutive entries of a page of a nested column's leaf, and where rows begin among them. A page
 * with very many entries is divided into several of these.
 */
final class LeveledPage implements AutoCloseable {
  private final PageCursor cursor;
  private final boolean isLast;
  private final int firstEntry;
  private final int entries;
  private final long firstRow;
  private final Rows rows;
  private final DecodeContext context;

  /**
   * Where rows begin.
   *
   * @param count number of rows that begin among the entries
   * @param starts the entry with which each row begins, relative to the first of these entries,
   *     then the number of entries; null when every entry is a row
   * @param levels the entries' repetition levels, a byte each; null when all are 0
   */
  record Rows(int count, MemoryBuffer starts, MemoryBuffer levels) implements AutoCloseable {
    @Override
    public void close() {
      Closer closer = new Closer();
      closer.close(starts);
      closer.close(levels);
      closer.rethrow();
    }
  }

  /**
   * Creates entries of a page.
   *
   * @param cursor the page, loaded; closed with its last entries
   * @param firstEntry index in the page of the first entry
   * @param entries number of entries
   * @param firstRow row, relative to the row group, that begins first among the entries
   * @param rows where rows begin, owned by this object
   * @param context reads the starts
   */
  LeveledPage(
      PageCursor cursor,
      int firstEntry,
      int entries,
      long firstRow,
      Rows rows,
      DecodeContext context) {
    this.cursor = cursor;
    this.isLast = firstEntry + entries == cursor.page().valueCount();
    this.firstEntry = firstEntry;
    this.entries = entries;
    this.firstRow = firstRow;
    this.rows = rows;
    this.context = context;
  }

  /** Returns the first row that begins after these entries. */
  long endRow() {
    return firstRow + rows.count();
  }

  /** Returns the repetition levels, a byte each, null when all are 0. */
  MemoryBuffer levels() {
    return rows.levels();
  }

  /** Returns the index in the page of the first entry. */
  int firstEntry() {
    return firstEntry;
  }

  /**
   * Returns the entry of the page with which a row begins: the first entry if the row begins
   * earlier, the end if it begins later.
   */
  private int entryOf(long row) {
    if (row < firstRow) {
      return firstEntry;
    }
    if (row >= endRow()) {
      return firstEntry + entries;
    }
    int index = (int) (row - firstRow);
    return firstEntry
        + (rows.starts() == null
            ? index
            : context.readInt(rows.starts(), (long) index * Integer.BYTES));
  }

  /**
   * Returns the part of these entries in a window of rows.
   *
   * @param from first row of the window
   * @param end end row of the window, exclusive
   * @param entriesBefore entries of the window before these
   * @return the part, null when it is empty
   */
  PageWindow part(long from, long end, int entriesBefore) {
    int first = entryOf(from);
    int count = entryOf(end) - first;
    if (count <= 0) {
      return null;
    }
    PageWindow part = new PageWindow(cursor, first, count, entriesBefore);
    part.goesOn = first + count < cursor.page().valueCount();
    return part;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(rows);
    if (isLast) {
      closer.close(cursor);
    }
    closer.rethrow();
  }
}
