package io.ariadne.parquet.scan;

import io.ariadne.parquet.metadata.OffsetIndex;
import io.ariadne.parquet.prune.RowRanges;
import java.util.BitSet;

/**
 * The rows of a row group to decode, in ascending ranges: rows that may match, and short gaps
 * between them. Immutable.
 */
final class RowWindows {
  /** Shorter gaps are decoded together with the rows around them. */
  private static final long MIN_GAP_ROWS = 1024;

  private final long[] from;
  private final long[] to;
  private final int count;

  private RowWindows(long[] from, long[] to, int count) {
    this.from = from;
    this.to = to;
    this.count = count;
  }

  /** Returns windows over all rows. */
  static RowWindows all(long rowCount) {
    return new RowWindows(new long[] {0}, new long[] {rowCount}, 1);
  }

  /** Returns windows over ranges of rows. */
  static RowWindows of(RowRanges rows) {
    long[] from = new long[rows.rangeCount()];
    long[] to = new long[rows.rangeCount()];
    int count = 0;
    for (int i = 0; i < rows.rangeCount(); i++) {
      if (count > 0 && rows.from(i) - to[count - 1] < MIN_GAP_ROWS) {
        to[count - 1] = rows.to(i);
      } else {
        from[count] = rows.from(i);
        to[count++] = rows.to(i);
      }
    }
    return new RowWindows(from, to, count);
  }

  /** Returns the first row to decode at or after a row; -1 when there is none. */
  long firstFrom(long row) {
    for (int i = 0; i < count; i++) {
      if (row < to[i]) {
        return Math.max(row, from[i]);
      }
    }
    return -1;
  }

  /** Returns the exclusive end of the range that contains a row. The row must lie in a range. */
  long endOf(long row) {
    for (int i = 0; i < count; i++) {
      if (row < to[i]) {
        return to[i];
      }
    }
    throw new IllegalArgumentException("row " + row + " is in no range");
  }

  /** Returns the number of rows. */
  long rowCount() {
    long rows = 0;
    for (int i = 0; i < count; i++) {
      rows += to[i] - from[i];
    }
    return rows;
  }

  /**
   * Returns the row at a position among these rows. The position is from 0 to {@link #rowCount()} -
   * 1.
   */
  long rowAt(long position) {
    long left = position;
    for (int i = 0; i < count; i++) {
      if (left < to[i] - from[i]) {
        return from[i] + left;
      }
      left -= to[i] - from[i];
    }
    throw new IllegalArgumentException(position + " of " + rowCount() + " rows");
  }

  /** Returns the rows that lie in a range. */
  RowWindows between(long first, long end) {
    long[] starts = new long[count];
    long[] ends = new long[count];
    int kept = 0;
    for (int i = 0; i < count; i++) {
      long start = Math.max(from[i], first);
      long limit = Math.min(to[i], end);
      if (start < limit) {
        starts[kept] = start;
        ends[kept++] = limit;
      }
    }
    return new RowWindows(starts, ends, kept);
  }

  /** Returns the indices of the pages that contain any of the rows. */
  BitSet pages(OffsetIndex index) {
    BitSet pages = new BitSet();
    for (int i = 0; i < count; i++) {
      if (from[i] < to[i]) {
        pages.set(index.pageOf(from[i]), index.pageOf(to[i] - 1) + 1);
      }
    }
    return pages;
  }
}
