package io.ariadne.expression;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.type.DataType;
import java.util.List;

/**
 * An expression computed by the JVM, column at a time: Spark's own generated code over the
 * arguments' values, or one of {@link io.ariadne.expression.nested}.
 *
 * @param function the computation
 * @param arguments its inputs
 * @param nullable whether the result may be null
 */
public record BridgedCall(ColumnFunction function, List<Expression> arguments, boolean nullable)
    implements Expression {
  /** Copies the list. */
  public BridgedCall {
    arguments = List.copyOf(arguments);
  }

  @Override
  public DataType type() {
    return function.resultType();
  }
}
