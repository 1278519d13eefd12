package io.ariadne.expression;

import io.ariadne.columnar.ColumnFunction;

/**
 * A function that computes a column of STRING or BINARY, or reads one, with its own kernels. It is
 * called between programs as bridged calls are, but its arguments and its result are in kernel
 * memory.
 */
public sealed interface StringFunction extends ColumnFunction
    permits StringProducer, StringChoice, StringParser, StringFormatter {
  /**
   * Returns whether the value of a row may raise an error. Calls are made for all rows, so such
   * functions are used only where Spark also computes every row.
   */
  default boolean mayRaise() {
    return false;
  }

  @Override
  default boolean dependsOnItsRowOnly() {
    return true;
  }
}
