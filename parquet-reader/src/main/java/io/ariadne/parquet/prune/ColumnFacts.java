package io.ariadne.parquet.prune;

/** What is known about the input columns of a predicate for a set of rows. */
interface ColumnFacts {
  /** Returns what is known about a column. */
  ValueRange range(int column);

  /**
   * Returns whether a value may occur in a column; false is certain.
   *
   * @param column index in the predicate's input
   * @param value a comparable as in {@link ValueRange}
   */
  default boolean mayContain(int column, Comparable<?> value) {
    return true;
  }
}
