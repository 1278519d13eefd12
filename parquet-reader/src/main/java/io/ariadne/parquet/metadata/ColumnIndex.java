package io.ariadne.parquet.metadata;

/** The trusted statistics of every data page of one column chunk. Immutable. */
public final class ColumnIndex {
  private final Statistics[] pages;
  private final boolean[] nullPages;

  ColumnIndex(Statistics[] pages, boolean[] nullPages) {
    this.pages = pages;
    this.nullPages = nullPages;
  }

  /** Returns the number of data pages. */
  public int pageCount() {
    return pages.length;
  }

  /** Returns whether a page has only nulls. */
  public boolean isNullPage(int page) {
    return nullPages[page];
  }

  /**
   * Returns the statistics of a page. Bounds of binaries may be truncated: the lower one is rounded
   * down, the upper one up.
   */
  public Statistics statistics(int page) {
    return pages[page];
  }
}
