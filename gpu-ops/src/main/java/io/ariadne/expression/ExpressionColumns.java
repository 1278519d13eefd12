package io.ariadne.expression;

import java.util.List;
import java.util.function.Function;

/** Replaces the columns of expressions. Stateless. */
public final class ExpressionColumns {
  private ExpressionColumns() {}

  /**
   * Returns an expression over some of the columns.
   *
   * @param expression over all columns
   * @param kept the numbers of the remaining columns, in their new order; includes all columns that
   *     the expression reads
   */
  public static Expression renumber(Expression expression, List<Integer> kept) {
    return replace(
        expression,
        reference ->
            new ColumnReference(
                kept.indexOf(reference.index()), reference.type(), reference.nullable()));
  }

  /**
   * Replaces the columns of an expression.
   *
   * @param expression over some columns
   * @param replacement returns the replacement of a column
   */
  public static Expression replace(
      Expression expression, Function<ColumnReference, Expression> replacement) {
    if (expression instanceof ColumnReference reference) {
      return replacement.apply(reference);
    }
    if (expression instanceof Call call) {
      List<Expression> arguments =
          call.arguments().stream().map(argument -> replace(argument, replacement)).toList();
      return new Call(
          call.function(), arguments, call.type(), call.nullable(), call.mode(), call.origin());
    }
    if (expression instanceof Member member) {
      return new Member(replace(member.struct(), replacement), member.ordinal(), member.nullable());
    }
    if (expression instanceof BridgedCall bridged) {
      List<Expression> arguments =
          bridged.arguments().stream().map(argument -> replace(argument, replacement)).toList();
      return new BridgedCall(bridged.function(), arguments, bridged.nullable());
    }
    return expression;
  }
}
