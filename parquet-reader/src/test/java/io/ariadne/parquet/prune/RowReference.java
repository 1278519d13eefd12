package io.ariadne.parquet.prune;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;

/** Evaluates a predicate on one row, as a simple reference. Null is SQL's null. */
final class RowReference {
  private RowReference() {}

  static Object evaluate(Expression expression, Object[] row) {
    if (expression instanceof ColumnReference column) {
      return row[column.index()];
    }
    if (expression instanceof Literal literal) {
      return literal.value();
    }
    Call call = (Call) expression;
    List<Expression> arguments = call.arguments();
    Object first = evaluate(arguments.get(0), row);
    switch (call.function()) {
      case AND -> {
        Object second = evaluate(arguments.get(1), row);
        if (Boolean.FALSE.equals(first) || Boolean.FALSE.equals(second)) {
          return false;
        }
        return first == null || second == null ? null : (Object) true;
      }
      case OR -> {
        Object second = evaluate(arguments.get(1), row);
        if (Boolean.TRUE.equals(first) || Boolean.TRUE.equals(second)) {
          return true;
        }
        return first == null || second == null ? null : (Object) false;
      }
      case NOT -> {
        return first == null ? null : (Object) !(Boolean) first;
      }
      case IS_NULL -> {
        return first == null;
      }
      case IS_NOT_NULL -> {
        return first != null;
      }
      case IS_NAN -> {
        return first != null && Double.isNaN(((Number) first).doubleValue());
      }
      case YEAR -> {
        return first == null ? null : (Object) LocalDate.ofEpochDay((Integer) first).getYear();
      }
      case CAST -> {
        return first == null ? null : cast(first, call.type());
      }
      case IN -> {
        return in(first, arguments, row);
      }
      default -> {
        return compared(call, first, evaluate(arguments.get(1), row));
      }
    }
  }

  private static Object cast(Object value, DataType to) {
    if (to == PrimitiveType.INT64) {
      return ((Number) value).longValue();
    }
    if (to == PrimitiveType.FLOAT64) {
      return ((Number) value).doubleValue();
    }
    BigInteger scale = BigInteger.TEN.pow(((DecimalType) to).scale());
    return BigInteger.valueOf(((Number) value).longValue()).multiply(scale);
  }

  private static Object in(Object value, List<Expression> arguments, Object[] row) {
    if (value == null) {
      return null;
    }
    boolean hasNull = false;
    DataType type = arguments.get(0).type();
    for (Expression candidate : arguments.subList(1, arguments.size())) {
      Object other = evaluate(candidate, row);
      hasNull |= other == null;
      if (other != null && compare(value, other, type) == 0) {
        return true;
      }
    }
    return hasNull ? null : (Object) false;
  }

  private static Object compared(Call call, Object left, Object right) {
    DataType type = call.arguments().get(0).type();
    if (left == null || right == null) {
      boolean isNullSafe = call.function() == Function.NULL_SAFE_EQUAL;
      return isNullSafe ? (Object) (left == null && right == null) : null;
    }
    int order = compare(left, right, type);
    return switch (call.function()) {
      case EQUAL, NULL_SAFE_EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      default -> order >= 0;
    };
  }

  private static int compare(Object left, Object right, DataType type) {
    if (left instanceof byte[] a) {
      return Arrays.compareUnsigned(a, (byte[]) right);
    }
    if (left instanceof Boolean a) {
      return Boolean.compare(a, (Boolean) right);
    }
    if (type instanceof DecimalType decimal) {
      return new BigDecimal((BigInteger) left, decimal.scale())
          .compareTo(new BigDecimal((BigInteger) right, decimal.scale()));
    }
    double a = ((Number) left).doubleValue();
    double b = ((Number) right).doubleValue();
    if (type == PrimitiveType.FLOAT32 || type == PrimitiveType.FLOAT64) {
      return a == b ? 0 : Double.compare(a, b);
    }
    return Long.compare(((Number) left).longValue(), ((Number) right).longValue());
  }
}
