package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import java.util.List;
import java.util.Objects;

/**
 * A call of a function that has a kernel.
 *
 * @param function the function
 * @param arguments the operands, of the types that the function requires
 * @param type the result's type, as Spark resolved it
 * @param nullable whether the result may be null
 * @param mode what happens on overflow, division by zero and invalid casts
 * @param origin number of Spark's expression in the fragment's table of replayable expressions, or
 *     -1; identifies the expression that raised when {@code mode} is {@link EvaluationMode#ANSI}
 */
public record Call(
    Function function,
    List<Expression> arguments,
    DataType type,
    boolean nullable,
    EvaluationMode mode,
    int origin)
    implements Expression {
  /** Copies the list. */
  public Call {
    Objects.requireNonNull(function, "function is null");
    arguments = List.copyOf(arguments);
  }
}
