package io.ariadne.operator.aggregate;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.util.ArrayList;
import java.util.List;

/**
 * Expressions that compute the results of aggregates from keys and buffer columns.
 *
 * <p>Source: {@code evaluateExpression} of Spark's Sum and Average. The readers of the buffers have
 * already raised overflows of sums or replaced them by null.
 */
final class AggregateResults {
  /** Spark's DecimalType.LongDecimal, to which Average casts its count. */
  private static final DecimalType LONG_DECIMAL = new DecimalType(20, 0);

  private AggregateResults() {}

  /**
   * Returns one expression per key and aggregate.
   *
   * @param keys the key columns
   * @param aggregates the aggregates, whose buffer columns follow the keys
   */
  static List<Expression> of(List<Field> keys, List<AggregateCall> aggregates) {
    List<Expression> results = new ArrayList<>();
    for (Field key : keys) {
      results.add(new ColumnReference(results.size(), key.type(), key.nullable()));
    }
    int column = keys.size();
    for (AggregateCall call : aggregates) {
      results.add(result(call, column));
      column += call.bufferFields().size();
    }
    return results;
  }

  private static Expression result(AggregateCall call, int column) {
    return switch (call.function()) {
      case COUNT, MIN, MAX, FIRST, FIRST_NON_NULL, LAST, LAST_NON_NULL -> buffer(call, column, 0);
      case BIT_AND, BIT_OR, BIT_XOR -> buffer(call, column, 0);
      case COLLECT_LIST -> new ColumnReference(column, call.resultType(), false);
      case SUM -> sum(call, column);
      case AVERAGE -> average(call, column);
    };
  }

  private static Expression sum(AggregateCall call, int column) {
    Expression sum = buffer(call, column, 0);
    if (call.bufferFields().size() == 1) {
      return sum;
    }
    Expression result =
        sum.type().equals(call.resultType())
            ? sum
            : call(Function.CHECK_OVERFLOW, call.resultType(), call, sum);
    return nullIf(buffer(call, column, 1), result);
  }

  private static Expression average(AggregateCall call, int column) {
    Expression sum = buffer(call, column, 0);
    Expression count = buffer(call, column, 1);
    Expression zero = new Literal(0L, PrimitiveType.INT64);
    Expression isEmpty = call(Function.EQUAL, PrimitiveType.BOOLEAN, call, count, zero);
    DataType divisorType = sum.type() instanceof DecimalType ? LONG_DECIMAL : sum.type();
    Expression divisor = call(Function.CAST, divisorType, call, count);
    return nullIf(isEmpty, call(Function.DIVIDE, call.resultType(), call, sum, divisor));
  }

  private static Expression nullIf(Expression condition, Expression value) {
    Expression none = new Literal(null, value.type());
    return new Call(
        Function.CASE_WHEN,
        List.of(condition, none, value),
        value.type(),
        true,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }

  private static Call call(
      Function function, DataType type, AggregateCall origin, Expression... arguments) {
    return new Call(function, List.of(arguments), type, true, origin.mode(), origin.origin());
  }

  private static ColumnReference buffer(AggregateCall call, int column, int index) {
    Field field = call.bufferFields().get(index);
    return new ColumnReference(column + index, field.type(), true);
  }
}
