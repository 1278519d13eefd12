package io.ariadne.bridge.expression;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * A Spark expression on its way to executors, where every user takes a copy of its own.
 *
 * <p>Copies matter beyond the network: lambda variables and the converters of user-defined
 * functions are state inside the expression, and two threads must not share it. Immutable.
 */
final class SerializedExpression implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] bytes;
  private final ErrorNotes notes;

  SerializedExpression(Expression expression) {
    this(expression, new ErrorNotes(expression));
  }

  /** Creates it of an expression that has lost what its errors repeat. */
  SerializedExpression(Expression expression, ErrorNotes notes) {
    this.bytes = JavaBytes.of(CsvRecords.withNames(expression));
    this.notes = notes;
  }

  /** Returns a copy whose classes come from the thread's context class loader. */
  Expression copy() {
    return notes.restore(JavaBytes.copy(bytes, Expression.class));
  }

  /** For messages: made of a copy, as the text of a constant may be longer than the expression. */
  @Override
  public String toString() {
    return copy().toString();
  }
}
