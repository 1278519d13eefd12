package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.ExpressionError;

/**
 * Turns the error of a kernel into the exception that the user sees: evaluates the expression
 * again, on the row that failed, with code that knows Spark's messages.
 */
@FunctionalInterface
public interface ErrorReplay {
  /**
   * Names only the expression, the error and the row: for tests and for expressions without an
   * origin.
   */
  ErrorReplay PLAIN =
      (origin, code, input, row) ->
          new EngineException(
              ErrorCode.USER,
              "expression " + origin + " failed in row " + row + ": " + describe(code));

  /**
   * Returns the exception; does not throw it.
   *
   * @param origin number of the expression, as {@code Call.origin()}; -1 when it has none
   * @param code one of the codes of {@code ExpressionError}
   * @param input the batch over which the expression was computed; stays owned by the caller
   * @param row the failing row of {@code input}
   * @return the exception to throw
   */
  RuntimeException toException(int origin, int code, RecordBatch input, int row);

  /**
   * Evaluates all expressions of a plan node on one row, in the order of row-by-row evaluation, and
   * throws what the first failing expression raises, also checked exceptions. Returns when none
   * fails or the expressions are unknown.
   *
   * @param origin number of the node's expressions; -1 when they have none
   * @param input columns of the node's input in host memory; stays owned by the caller
   * @param row a row of {@code input}
   */
  default void raiseFirst(int origin, RecordBatch input, int row) {}

  private static String describe(int code) {
    return ExpressionError.describe(code);
  }
}
