package io.ariadne.parquet.prune;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random predicates over {@link PruneData}. */
final class RandomPredicates {
  private static final Function[] COMPARISONS = {
    Function.EQUAL,
    Function.NULL_SAFE_EQUAL,
    Function.NOT_EQUAL,
    Function.LESS,
    Function.LESS_OR_EQUAL,
    Function.GREATER,
    Function.GREATER_OR_EQUAL
  };

  private final Random random;
  private final PruneData data;

  RandomPredicates(Random random, PruneData data) {
    this.random = random;
    this.data = data;
  }

  static Call call(Function function, DataType type, Expression... arguments) {
    return new Call(function, List.of(arguments), type, true, EvaluationMode.LEGACY, -1);
  }

  private static Call bool(Function function, Expression... arguments) {
    return call(function, PrimitiveType.BOOLEAN, arguments);
  }

  /** Returns a predicate. */
  Expression predicate(int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      return switch (random.nextInt(5)) {
        case 0, 1 -> bool(Function.AND, predicate(depth - 1), predicate(depth - 1));
        case 2, 3 -> bool(Function.OR, predicate(depth - 1), predicate(depth - 1));
        default -> bool(Function.NOT, predicate(depth - 1));
      };
    }
    return leaf();
  }

  private Expression leaf() {
    int column = random.nextInt(PruneData.FIELDS.size());
    DataType type = PruneData.type(column);
    Expression reference = reference(column);
    return switch (random.nextInt(12)) {
      case 0 -> bool(Function.IS_NULL, reference);
      case 1 -> bool(Function.IS_NOT_NULL, reference);
      case 2 -> {
        List<Expression> arguments = new ArrayList<>(List.of(reference));
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
          arguments.add(literal(column));
        }
        yield bool(Function.IN, arguments.toArray(Expression[]::new));
      }
      case 3 -> type == PrimitiveType.BOOLEAN ? reference : widened(column);
      case 4 ->
          type == PrimitiveType.FLOAT64 || type == PrimitiveType.FLOAT32
              ? bool(Function.IS_NAN, reference)
              : comparison(reference, literal(column));
      case 5 -> comparison(literal(column), reference);
      case 6 ->
          type == PrimitiveType.INT64
              ? comparison(reference, reference(random.nextInt(3)))
              : comparison(reference, reference);
      case 7 ->
          type == PrimitiveType.DATE32
              ? comparison(
                  call(Function.YEAR, PrimitiveType.INT32, reference),
                  new Literal(1970 + random.nextInt(3), PrimitiveType.INT32))
              : comparison(reference, literal(column));
      default -> comparison(reference, literal(column));
    };
  }

  private Expression comparison(Expression left, Expression right) {
    return bool(COMPARISONS[random.nextInt(COMPARISONS.length)], left, right);
  }

  private static Expression reference(int column) {
    return new ColumnReference(column, PruneData.type(column), column > 0);
  }

  private Expression widened(int column) {
    DataType type = PruneData.type(column);
    DataType wider;
    Serializable value = (Serializable) data.anyValue(column);
    if (type == PrimitiveType.INT16 || type == PrimitiveType.INT32) {
      wider = PrimitiveType.INT64;
      value = value == null ? null : (Serializable) ((Number) value).longValue();
    } else if (type == PrimitiveType.INT64) {
      wider = random.nextBoolean() ? PrimitiveType.FLOAT64 : new DecimalType(23, 4);
      if (value != null) {
        long number = (Long) value;
        value =
            wider == PrimitiveType.FLOAT64
                ? (Serializable) (double) number
                : BigInteger.valueOf(number).multiply(BigInteger.valueOf(10_000));
      }
    } else if (type == PrimitiveType.FLOAT32) {
      wider = PrimitiveType.FLOAT64;
      value = value == null ? null : (Serializable) ((Float) value).doubleValue();
    } else {
      return comparison(reference(column), literal(column));
    }
    return comparison(call(Function.CAST, wider, reference(column)), new Literal(value, wider));
  }

  private Literal literal(int column) {
    DataType type = PruneData.type(column);
    Object value = random.nextInt(25) == 0 ? null : data.anyValue(column);
    if (value == null || random.nextInt(3) > 0) {
      return new Literal((Serializable) value, type);
    }
    int shift = random.nextInt(7) - 3;
    Object shifted = value;
    if (value instanceof Long number) {
      shifted = number + shift;
    } else if (value instanceof Integer number) {
      shifted = number + shift;
    } else if (value instanceof Short number) {
      shifted = (short) (number + shift);
    } else if (value instanceof Double number) {
      shifted = number + shift;
    } else if (value instanceof Float number) {
      shifted = number + shift;
    } else if (value instanceof BigInteger number) {
      shifted = number.add(BigInteger.valueOf(shift));
    } else if (value instanceof byte[] bytes) {
      byte[] changed = bytes.clone();
      changed[changed.length - 1] += (byte) shift;
      shifted = changed;
    }
    return new Literal((Serializable) shifted, type);
  }
}
