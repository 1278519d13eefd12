package io.ariadne.expression;

import io.ariadne.columnar.ColumnFunction;

/**
 * A function that makes a column of strings, or of BINARY, or reads one, for which kernels of its
 * own are launched. Called between programs as bridged calls are, but its arguments and its result
 * are where kernels see them.
 */
public sealed interface StringFunction extends ColumnFunction
    permits StringProducer, StringChoice, StringParser, StringFormatter {
  /**
   * Returns whether the value of a row may be an error. Calls are made for all rows, so those of
   * such functions stand only where Spark's code computes every row, too.
   */
  default boolean mayRaise() {
    return false;
  }

  @Override
  default boolean dependsOnItsRowOnly() {
    return true;
  }
}
