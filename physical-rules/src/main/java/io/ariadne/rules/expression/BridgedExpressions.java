package io.ariadne.rules.expression;

import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.nested.CheckedArrayItem;
import java.util.ArrayList;
import java.util.List;
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

  /**
   * Creates the translation for an input.
   *
   * @param input its columns by position
   * @param files tells user code which file its rows are of
   */
  BridgedExpressions(List<Attribute> input, InputFiles files) {
    this.input = input;
    this.files = files;
  }

  /**
   * Returns why the bridge cannot take an expression, or empty when it can.
   *
   * @param isOrdered whether it is computed once for every row of the input, in their order
   */
  Optional<String> reasonAgainst(Expression expression, boolean isOrdered) {
    Expression plain = withoutSubqueries(expression);
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

  /** Returns Spark's code for an expression over columns, which the bridge takes. */
  ColumnFunction function(Expression expression, List<Attribute> columns) {
    DataType type = ColumnTypes.of(expression.dataType()).orElseThrow();
    return new DeferredFunction(expression, columns, type, files);
  }

  /** Builds the call; only when nothing speaks against it. */
  io.ariadne.expression.Expression call(Expression expression) {
    Expression plain = withoutSubqueries(expression);
    List<Attribute> used = new ArrayList<>();
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    for (Expression part : ExpressionParts.parts(plain)) {
      if (part instanceof Attribute attribute && ExpressionParts.positionOf(attribute, used) < 0) {
        int position = ExpressionParts.positionOf(attribute, input);
        Attribute column = input.get(position);
        used.add(column);
        DataType type = ColumnTypes.of(column.dataType()).orElseThrow();
        arguments.add(new ColumnReference(position, type, column.nullable()));
      }
    }
    DataType resultType = ColumnTypes.of(plain.dataType()).orElseThrow();
    if (ExpressionParts.parts(plain).stream().anyMatch(UserCode::mayAskForFile)) {
      files.ask();
    }
    ColumnFunction spark = new DeferredFunction(plain, used, resultType, files);
    OptionalInt position = fixedPosition(plain);
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
   * Scalar subqueries are constants: of unknown value while a query is planned, replaced by their
   * values before it is executed.
   */
  private static Expression withoutSubqueries(Expression expression) {
    return ExpressionParts.rewrite(
        expression,
        part -> part.getClass() == ScalarSubquery.class,
        part -> Literal.create(null, part.dataType()));
  }
}
