package io.ariadne.rules.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.FunctionSupport;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringChoice;
import io.ariadne.expression.StringChoice.Rule;
import io.ariadne.expression.StringHeaps;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Conditional expressions of strings. Tile programs compute conditionals of one column and short
 * constants. For several columns, or long constants, a program computes the number of the branch,
 * and a {@link StringChoice} chooses the string.
 */
final class StringChoices {
  private StringChoices() {}

  /**
   * Builds a conditional expression.
   *
   * @param function CASE_WHEN, COALESCE, GREATEST or LEAST
   * @param expression Spark's
   * @param walk checks types
   * @param arguments translated operands, as the function takes them
   */
  static Expression conditional(
      Function function,
      org.apache.spark.sql.catalyst.expressions.Expression expression,
      ExpressionWalk walk,
      List<Expression> arguments) {
    DataType type = walk.type(expression);
    Call call =
        new Call(function, arguments, type, expression.nullable(), EvaluationMode.LEGACY, -1);
    if (!StringHeaps.isView(type) || FunctionSupport.reasonAgainstCall(call).isEmpty()) {
      return walk.call(function, expression, EvaluationMode.LEGACY, arguments);
    }
    if (arguments.stream().anyMatch(TileProgramCompiler::mayRaise)) {
      throw new NoKernelException("an operand may raise or goes through the bridge");
    }
    return switch (function) {
      case CASE_WHEN -> numbered(call, expression, walk);
      case COALESCE -> choice(Rule.FIRST, call, arguments);
      case GREATEST -> choice(Rule.GREATEST, call, arguments);
      case LEAST -> choice(Rule.LEAST, call, arguments);
      default -> throw new IllegalArgumentException(function + " chooses nothing");
    };
  }

  private static Expression choice(Rule rule, Call call, List<Expression> values) {
    List<Expression> options = new ArrayList<>();
    for (Expression value : values) {
      if (!isNull(value)) {
        options.add(value);
      }
    }
    return choice(rule, call, List.of(), options);
  }

  /** The number of the value of the first condition that is true, and the values. */
  private static Expression numbered(
      Call call,
      org.apache.spark.sql.catalyst.expressions.Expression expression,
      ExpressionWalk walk) {
    List<Expression> options = new ArrayList<>();
    List<Expression> arguments = new ArrayList<>(call.arguments());
    for (int i = 0; i < arguments.size(); i++) {
      if (i % 2 == 1 || i == arguments.size() - 1) {
        arguments.set(i, number(arguments.get(i), options));
      }
    }
    Expression number =
        walk.call(
            Function.CASE_WHEN, PrimitiveType.INT32, expression, EvaluationMode.LEGACY, arguments);
    return choice(Rule.NUMBERED, call, List.of(number), options);
  }

  private static Literal number(Expression value, List<Expression> options) {
    if (isNull(value)) {
      return new Literal(null, PrimitiveType.INT32);
    }
    for (int i = 0; i < options.size(); i++) {
      if (isSame(options.get(i), value)) {
        return new Literal(i, PrimitiveType.INT32);
      }
    }
    options.add(value);
    return new Literal(options.size() - 1, PrimitiveType.INT32);
  }

  private static boolean isSame(Expression a, Expression b) {
    return (a instanceof Literal x && b instanceof Literal y)
        ? Arrays.equals((byte[]) x.value(), (byte[]) y.value())
        : a.equals(b);
  }

  private static boolean isNull(Expression value) {
    return value instanceof Literal literal && literal.value() == null;
  }

  private static Expression choice(
      Rule rule, Call call, List<Expression> first, List<Expression> options) {
    List<Literal> literals = new ArrayList<>();
    List<Expression> arguments = new ArrayList<>(first);
    for (Expression option : options) {
      if (option instanceof Literal literal) {
        literals.add(literal);
      } else {
        literals.add(null);
        arguments.add(option);
      }
    }
    StringChoice function = new StringChoice(rule, call.type(), literals);
    boolean isOfCodes = rule == Rule.NUMBERED && function.isOfLiterals();
    if (options.size() > StringChoice.MAX_OPTIONS && !isOfCodes) {
      throw new NoKernelException("it chooses among " + options.size() + " strings");
    }
    if (arguments.isEmpty()) {
      throw new NoKernelException("all its operands are constants");
    }
    return new BridgedCall(function, arguments, call.nullable());
  }
}
