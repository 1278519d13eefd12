package io.ariadne.rules.expression;

import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.bridge.expression.SparkExpressionFunction;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.nested.CheckedArrayItem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ElementAt;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetArrayItem;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.execution.ScalarSubquery;
import org.apache.spark.sql.types.ArrayType;

/** Turns expressions over one input into calls of Spark's own generated code over our columns. */
final class BridgedExpressions {
  private final List<Attribute> input;
  private final InputFiles files;
  private final boolean isTrial;

  /** Calls of expressions that give the same for the same row: each is computed once. */
  private final Map<Expression, BridgedCall> known = new HashMap<>();

  /**
   * Creates the translation for an input.
   *
   * @param input its columns by position
   * @param scope tells user code which file its rows are of, and whether the plan is executed
   */
  BridgedExpressions(List<Attribute> input, ConversionScope scope) {
    this.input = input;
    this.files = scope.files();
    this.isTrial = scope.isTrial();
  }

  /**
   * Returns why the bridge cannot take an expression, or empty when it can.
   *
   * @param isOrdered whether it is computed once for every row of the input, in their order
   */
  Optional<String> reasonAgainst(Expression expression, boolean isOrdered) {
    Expression plain = withUnknownResults(expression);
    return ExpressionBridge.reasonAgainst(plain, isOrdered)
        .or(() -> typeReason(plain))
        .or(() -> inputReason(plain));
  }

  private Optional<String> inputReason(Expression expression) {
    for (Expression part : ExpressionParts.parts(expression)) {
      if (part instanceof Attribute attribute) {
        if (ExpressionParts.positionOf(attribute, input) < 0) {
          return Optional.of(part + " is no column of the input");
        }
        if (typeReason(part).isPresent()) {
          return typeReason(part);
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> typeReason(Expression expression) {
    return ColumnTypes.of(expression.dataType()).isPresent()
        ? Optional.empty()
        : Optional.of(
            expression + " has type " + expression.dataType().sql() + ", which is not supported");
  }

  /**
   * Returns Spark's code for an expression over columns, which the bridge takes. It is bound here,
   * under the settings of the query that is planned, and not where Spark ships it to executors.
   */
  ColumnFunction function(Expression expression, List<Attribute> columns) {
    if (isTrial) {
      return new TrialFunction(expression, ColumnTypes.of(expression.dataType()).orElseThrow());
    }
    return expression.deterministic()
        ? SparkExpressionFunction.of(expression, columns, files)
        : SparkExpressionFunction.ofOrdered(expression, columns, files);
  }

  /**
   * Builds the call; only when nothing speaks against it. Equal expressions get one call, as they
   * are computed once by Spark ({@code EquivalentExpressions}): user code may be slow.
   */
  io.ariadne.expression.Expression call(Expression expression) {
    if (!expression.deterministic()) {
      return newCall(expression);
    }
    BridgedCall call = known.get(expression);
    if (call == null) {
      call = newCall(expression);
      known.put(expression, call);
    }
    return call;
  }

  private BridgedCall newCall(Expression expression) {
    List<Attribute> used = new ArrayList<>();
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    for (Expression part : ExpressionParts.parts(expression)) {
      if (part instanceof Attribute attribute && ExpressionParts.positionOf(attribute, used) < 0) {
        int position = ExpressionParts.positionOf(attribute, input);
        Attribute column = input.get(position);
        used.add(column);
        DataType type = ColumnTypes.of(column.dataType()).orElseThrow();
        arguments.add(new ColumnReference(position, type, column.nullable()));
      }
    }
    if (ExpressionParts.parts(expression).stream().anyMatch(UserCode::mayAskForFile)) {
      files.ask();
    }
    ColumnFunction spark = function(expression, used);
    OptionalInt position = fixedPosition(expression);
    ColumnFunction function =
        position.isPresent() ? new CheckedArrayItem(position.getAsInt(), spark) : spark;
    return new BridgedCall(function, arguments, expression.nullable());
  }

  /** Returns the position of the element that an expression takes out of an array column. */
  private static OptionalInt fixedPosition(Expression expression) {
    if (expression instanceof GetArrayItem item && item.child() instanceof Attribute) {
      return position(item.ordinal(), 0);
    }
    if (expression instanceof ElementAt element
        && element.left() instanceof Attribute array
        && array.dataType() instanceof ArrayType
        && element.defaultValueOutOfBound().isEmpty()) {
      return position(element.right(), 1);
    }
    return OptionalInt.empty();
  }

  private static OptionalInt position(Expression number, int first) {
    return number instanceof Literal literal
            && literal.value() instanceof Integer value
            && value >= first
        ? OptionalInt.of(value - first)
        : OptionalInt.empty();
  }

  /**
   * Returns the expression with constants instead of scalar subqueries, to be looked at and never
   * to be evaluated: in plans that are executed the results have taken their places.
   */
  private static Expression withUnknownResults(Expression expression) {
    return ExpressionParts.rewrite(
        expression,
        part -> part.getClass() == ScalarSubquery.class,
        part -> Literal.create(null, part.dataType()));
  }
}
