package io.ariadne.expression.compiler;

/**
 * A string operand of an instruction that reads characters.
 *
 * @param value views in a pair of registers, or {@link Operand#ofBytes constant bytes}
 * @param column the column into whose heaps the views point; {@link #NO_COLUMN} when they contain
 *     their bytes
 * @param isCoded whether that is a dictionary column
 * @param validity rows that are not null, or null when all are
 */
record Text(Operand value, int column, boolean isCoded, TileValue validity) {
  /** No column. */
  static final int NO_COLUMN = -1;

  boolean isConstant() {
    return value.isConstant();
  }
}
