package io.ariadne.parquet.metadata;

/**
 * What is known of the values of every data page of one column chunk, as far as it can be trusted.
 * Immutable.
 */
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
   * Returns what is known of a page. Bounds of binaries may be cut short: the lower one rounded
   * down, the upper one up.
   */
  public Statistics statistics(int page) {
    return pages[page];
  }
}
