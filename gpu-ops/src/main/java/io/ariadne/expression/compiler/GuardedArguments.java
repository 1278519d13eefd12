package io.ariadne.expression.compiler;

import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.expression.TypeKind;
import java.util.List;

/**
 * Guards the arguments of an aggregate that are computed as columns before its filter is applied:
 * they must not raise for rows that the filter drops.
 */
public final class GuardedArguments {
  private GuardedArguments() {}

  /**
   * Returns the arguments of an aggregate, changed so that they raise only for rows that pass its
   * filter. An argument that may raise is null for other rows.
   *
   * @param call an aggregate; when it has a filter, bridged parts of its arguments never raise, and
   *     so nested arguments, which only bridged calls compute, do not either
   */
  public static List<Expression> of(AggregateCall call) {
    return call.arguments().stream().map(argument -> guarded(argument, call.filter())).toList();
  }

  private static Expression guarded(Expression argument, Expression filter) {
    boolean isNested = TypeKind.NESTED.contains(TypeKind.of(argument.type()));
    if (filter == null || isNested || !TileProgramCompiler.mayRaise(argument)) {
      return argument;
    }
    return new Call(
        Function.CASE_WHEN,
        List.of(filter, argument, new Literal(null, argument.type())),
        argument.type(),
        true,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }
}
