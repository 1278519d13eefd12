package io.ariadne.parquet.prune;

import io.ariadne.expression.Literal;
import io.ariadne.parquet.schema.ResolvedColumn;

/** What a file's metadata tells about an input column of a predicate. */
public sealed interface PrunedColumn {
  /**
   * A column with the same value in every row: a partition column, or one that the file does not
   * have.
   *
   * @param value the value
   */
  record Constant(Literal value) implements PrunedColumn {}

  /**
   * A leaf of the file that has one value, null or not, for each row. It may be inside structs.
   *
   * @param leaf the column
   */
  record Stored(ResolvedColumn.Leaf leaf) implements PrunedColumn {}

  /** A column about which nothing is known. */
  record Unknown() implements PrunedColumn {}

  /**
   * Returns the form of a resolved column that pruning uses.
   *
   * @param column the resolved column
   * @param missingValue the column's value if the file does not have it
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
