package io.ariadne.parquet.prune;

/** What is known of the input columns of a predicate in some rows. */
interface ColumnFacts {
  /** Returns what is known of a column. */
  ValueRange range(int column);

  /**
   * Returns whether a value may occur in a column; false is certain.
   *
   * @param column position in the predicate's input
   * @param value a comparable as in {@link ValueRange}
   */
  default boolean mayContain(int column, Comparable<?> value) {
    return true;
  }
}
