package io.ariadne.columnar.concat;

/** What a concatenated column shares with the columns that its rows come from. */
public enum ConcatenationPolicy {
  /**
   * Always shares: strings are views into the sources' heaps, and rows that all have one dictionary
   * keep their codes. For results that an operator uses soon or compacts itself.
   */
  SHARE,

  /**
   * Shares only what pays. Characters are copied to a heap of the result when its rows use less
   * than half of the sources' heaps, or when there are more than 32 heaps. A dictionary with more
   * entries than the result has rows is decoded. Rows of several small dictionaries of strings get
   * codes of a new dictionary. For results that stay in memory for long.
   */
  COMPACT
}
