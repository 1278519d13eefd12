package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.SparkLine;
import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import io.ariadne.expression.FunctionSupport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BinaryExpression;
import org.apache.spark.sql.catalyst.expressions.DivModLike;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Pmod;
import org.apache.spark.sql.types.Decimal;

/**
 * The view that a recipe has while it translates one expression: the translations of the operands,
 * the input's columns and the declared support. Collects the decisions about the operands.
 */
public final class ExpressionWalk {
  private final ExpressionConverter converter;
  private final List<TaggedExpression> operands = new ArrayList<>();

  ExpressionWalk(ExpressionConverter converter) {
    this.converter = converter;
  }

  List<TaggedExpression> operands() {
    return operands;
  }

  /**
   * Translates an operand that is computed for every row.
   *
   * @throws NoKernelException when neither kernel nor bridge can make a column of it
   */
  io.ariadne.expression.Expression operand(Expression expression) {
    Conversion conversion = converter.convert(expression);
    operands.add(conversion.tag());
    return conversion
        .translated()
        .orElseThrow(
            () -> new NoKernelException("its operand " + expression + " cannot be a column"));
  }

  /**
   * Translates all children. Of two, Spark computes the second only where the first is not null,
   * unless it compares nulls; other children are computed for every row.
   */
  List<io.ariadne.expression.Expression> children(Expression expression) {
    if (expression instanceof BinaryExpression binary && !(binary instanceof EqualNullSafe)) {
      return pair(binary);
    }
    List<io.ariadne.expression.Expression> translated = new ArrayList<>();
    for (Expression child : ScalaCollections.<Expression>list(expression.children())) {
      translated.add(operand(child));
    }
    return translated;
  }

  /** Divisions begin with the divisor; without ANSI the dividend is not computed where it is 0. */
  private List<io.ariadne.expression.Expression> pair(BinaryExpression expression) {
    boolean isDivision = expression instanceof DivModLike || expression instanceof Pmod;
    Expression first = isDivision ? expression.right() : expression.left();
    Expression second = isDivision ? expression.left() : expression.right();
    io.ariadne.expression.Expression one = operand(first);
    boolean mayBeSkipped =
        (first.nullable() && one.nullable()) || (isDivision && mayBeNullForZero(expression, first));
    io.ariadne.expression.Expression other =
        mayBeSkipped ? guardedOperand(second) : operand(second);
    return isDivision ? List.of(other, one) : List.of(one, other);
  }

  private static boolean mayBeNullForZero(BinaryExpression division, Expression divisor) {
    boolean isAnsi = "ANSI".equals(SparkLine.evalMode(division));
    return !isAnsi && !isOtherThanZero(divisor);
  }

  private static boolean isOtherThanZero(Expression constant) {
    if (!(constant instanceof Literal literal)) {
      return false;
    }
    return literal.value() instanceof Decimal decimal
        ? decimal.toDouble() != 0
        : literal.value() instanceof Number number && number.doubleValue() != 0;
  }

  /**
   * Translates an operand that Spark computes only for some rows. Programs mask the other rows; the
   * bridge computes all rows, so a bridged part must not be able to raise.
   *
   * @throws NoKernelException as for {@link #operand}, or when a bridged part may raise
   */
  io.ariadne.expression.Expression guardedOperand(Expression expression) {
    io.ariadne.expression.Expression translated = operand(expression);
    TaggedExpression tag = operands.get(operands.size() - 1);
    Optional<TaggedExpression> raising =
        tag.all().filter(TaggedExpression::raisesUnmasked).findFirst();
    if (raising.isPresent()) {
      throw new NoKernelException(
          raising.get().expression() + " may raise and is computed for some rows only");
    }
    return translated;
  }

  /**
   * Translates an operand that must be a constant other than null.
   *
   * @throws NoKernelException when it is none
   */
  io.ariadne.expression.Literal constant(Expression expression) {
    if (expression instanceof Literal literal && literal.value() != null) {
      return Constants.of(literal.value(), type(literal));
    }
    throw new NoKernelException(expression + " is no constant");
  }

  /** Translates an expression whose values are its child's, of another type. */
  io.ariadne.expression.Expression recast(Expression expression, Expression child) {
    return call(Function.REINTERPRET, expression, EvaluationMode.LEGACY, List.of(operand(child)));
  }

  /** Returns a reference to an input column. */
  io.ariadne.expression.Expression column(Attribute attribute) {
    List<Attribute> input = converter.input();
    int position = ExpressionParts.positionOf(attribute, input);
    if (position < 0) {
      throw new NoKernelException("it is no column of the input");
    }
    Attribute column = input.get(position);
    return new ColumnReference(position, type(column), column.nullable());
  }

  /** Returns Spark's code for an expression over columns. */
  ColumnFunction sparkFunction(Expression expression, List<Attribute> columns) {
    return converter.sparkFunction(expression, columns);
  }

  /** Returns our type of a Spark expression's result. */
  DataType type(Expression expression) {
    return type(expression.dataType());
  }

  /** Returns our type for one of Spark's types. */
  DataType type(org.apache.spark.sql.types.DataType sparkType) {
    return converter
        .typeOf(sparkType)
        .orElseThrow(() -> new NoKernelException("type " + sparkType.sql() + " is not supported"));
  }

  /**
   * Builds a call of a kernel function, checked against the support declarations.
   *
   * @param function what is computed
   * @param expression Spark's, gives type, nullability and what is replayed on an error
   * @param mode what happens on overflow and the like
   * @param arguments translated operands
   */
  io.ariadne.expression.Expression call(
      Function function,
      Expression expression,
      EvaluationMode mode,
      List<io.ariadne.expression.Expression> arguments) {
    return call(function, type(expression), expression, mode, arguments);
  }

  /** Builds a part of what an expression becomes, of a type of its own. */
  io.ariadne.expression.Expression call(
      Function function,
      DataType type,
      Expression expression,
      EvaluationMode mode,
      List<io.ariadne.expression.Expression> arguments) {
    Call call = new Call(function, arguments, type, expression.nullable(), mode, -1);
    Optional<String> reason = FunctionSupport.reasonAgainstCall(call);
    if (reason.isPresent()) {
      throw new NoKernelException(reason.get());
    }
    if (call.mode() != EvaluationMode.ANSI) {
      return call;
    }
    int origin = converter.replayable(expression);
    return new Call(
        call.function(), call.arguments(), call.type(), call.nullable(), call.mode(), origin);
  }

  /** Builds a call that never raises, of all children. */
  io.ariadne.expression.Expression call(Function function, Expression expression) {
    return call(function, expression, EvaluationMode.LEGACY, children(expression));
  }

  /** Returns our mode for a value of Spark's {@code EvalMode}. */
  static EvaluationMode mode(scala.Enumeration.Value evalMode) {
    return EvaluationMode.valueOf(evalMode.toString());
  }

  /** Returns our mode for Spark's {@code failOnError}. */
  static EvaluationMode mode(boolean failOnError) {
    return failOnError ? EvaluationMode.ANSI : EvaluationMode.LEGACY;
  }
}
