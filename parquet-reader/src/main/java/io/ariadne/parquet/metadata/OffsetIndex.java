package io.ariadne.parquet.metadata;

import java.util.Arrays;

/**
 * The location of the data pages of one column chunk, and the first row of each. Immutable.
 *
 * <p>Checked when it is read: there is at least one page, pages lie inside the chunk one after
 * another, the first begins with row 0, first rows ascend strictly and stay below the row count.
 * Pages of a column with lists begin with a new row.
 */
public final class OffsetIndex {
  private final long[] offsets;
  private final int[] lengths;
  private final long[] firstRows;
  private final long rowCount;

  OffsetIndex(long[] offsets, int[] lengths, long[] firstRows, long rowCount) {
    this.offsets = offsets;
    this.lengths = lengths;
    this.firstRows = firstRows;
    this.rowCount = rowCount;
  }

  /** Returns the number of data pages, at least 1. */
  public int pageCount() {
    return offsets.length;
  }

  /** Returns the offset of a page's header in the file. */
  public long offset(int page) {
    return offsets[page];
  }

  /** Returns the size of a page with its header. */
  public int lengthInBytes(int page) {
    return lengths[page];
  }

  /** Returns the first row of a page, relative to its row group. */
  public long firstRow(int page) {
    return firstRows[page];
  }

  /** Returns the row after the last of a page. */
  public long endRow(int page) {
    return page + 1 < firstRows.length ? firstRows[page + 1] : rowCount;
  }

  /** Returns the page that contains a row of the row group. */
  public int pageOf(long row) {
    int position = Arrays.binarySearch(firstRows, row);
    return position >= 0 ? position : -position - 2;
  }
}
