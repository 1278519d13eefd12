package io.ariadne.expression;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.type.DataType;
import java.util.List;

/**
 * An expression that Java code computes, a column at a time: Spark's generated code over the
 * arguments' values, or a function of {@link io.ariadne.expression.nested}.
 *
 * @param function the function
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
