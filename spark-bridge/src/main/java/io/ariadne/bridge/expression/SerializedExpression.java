package io.ariadne.bridge.expression;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * A serialized Spark expression, shipped to executors, from which every user makes its own copy.
 *
 * <p>Copies are also needed within a process: lambda variables and the converters of user-defined
 * functions are state inside the expression, and two threads must not share it. Immutable.
 */
final class SerializedExpression implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] bytes;
  private final ErrorContext context;

  SerializedExpression(Expression expression) {
    this(expression, new ErrorContext(expression));
  }

  /** Creates it from an expression that has lost what its errors quote. */
  SerializedExpression(Expression expression, ErrorContext context) {
    this.bytes = JavaSerialization.of(CsvRecords.withNames(expression));
    this.context = context;
  }

  /** Returns a copy. Its classes are loaded by the thread's context class loader. */
  Expression copy() {
    return context.restore(JavaSerialization.copy(bytes, Expression.class));
  }

  /**
   * For messages. Made from a copy on demand, as the text of a constant may be longer than the
   * expression.
   */
  @Override
  public String toString() {
    return copy().toString();
  }
}
