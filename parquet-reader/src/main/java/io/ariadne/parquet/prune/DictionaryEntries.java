package io.ariadne.parquet.prune;

/** The entries of a column's dictionary, after conversion to the column's type. */
public interface DictionaryEntries {
  /** Returns the number of entries. */
  int size();

  /**
   * Returns an entry in the convention of {@link io.ariadne.expression.Literal#value()}; never
   * null.
   *
   * @param index 0 to {@code size() - 1}
   */
  Object value(int index);
}
