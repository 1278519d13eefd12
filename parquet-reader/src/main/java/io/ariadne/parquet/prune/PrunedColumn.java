package io.ariadne.parquet.prune;

import io.ariadne.expression.Literal;
import io.ariadne.parquet.schema.ResolvedColumn;

/** An input column of a predicate, as far as a file's metadata tells something about it. */
public sealed interface PrunedColumn {
  /**
   * The same value in every row: a partition column, or one the file does not have.
   *
   * @param value the value
   */
  record Constant(Literal value) implements PrunedColumn {}

  /**
   * A leaf of the file that has one value, null or not, for each row: it may be inside structs.
   *
   * @param leaf the column
   */
  record Stored(ResolvedColumn.Leaf leaf) implements PrunedColumn {}

  /** A column of which nothing is known. */
  record Unknown() implements PrunedColumn {}

  /**
   * Returns a resolved column as one to prune by.
   *
   * @param column what the file has
   * @param missingValue the value of a column it does not have
   */
  static PrunedColumn of(ResolvedColumn column, Literal missingValue) {
    if (column instanceof ResolvedColumn.Missing) {
      return new Constant(missingValue);
    }
    if (column instanceof ResolvedColumn.Leaf leaf) {
      return leaf.leaf().maxRepetitionLevel() == 0 ? new Stored(leaf) : new Unknown();
    }
    return new Unknown();
  }
}
