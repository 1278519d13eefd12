package io.ariadne.parquet.prune;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.expression.TypeKind;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.function.UnaryOperator;

/**
 * Evaluates value expressions on what is known about a set of rows. Supports columns, literals,
 * casts that keep the order, and the year of a date. Everything else is unknown.
 */
final class RangeEvaluator {
  private final ColumnFacts facts;

  RangeEvaluator(ColumnFacts facts) {
    this.facts = facts;
  }

  /** Returns what is known about an expression. */
  ValueRange range(Expression expression) {
    if (expression instanceof ColumnReference column) {
      return facts.range(column.index());
    }
    if (expression instanceof Literal literal) {
      return ValueRange.ofLiteral(literal.value(), literal.type());
    }
    if (expression instanceof Call call) {
      return switch (call.function()) {
        case CAST -> cast(call);
        case YEAR -> monotone(call, RangeEvaluator::year);
        case NORMALIZE_FLOATING -> range(call.arguments().get(0));
        default -> unknown(call);
      };
    }
    return unknown(expression);
  }

  private static ValueRange unknown(Expression expression) {
    return ValueRange.UNKNOWN.withNulls(expression.nullable());
  }

  /**
   * Returns the column that an expression's values equal, compared as comparables; -1 when there is
   * none.
   */
  int columnOfValues(Expression expression) {
    if (expression instanceof ColumnReference column) {
      return column.index();
    }
    boolean keepsValues =
        expression instanceof Call call
            && call.function() == Function.CAST
            && isWidening(call.arguments().get(0).type(), call.type());
    return keepsValues ? columnOfValues(((Call) expression).arguments().get(0)) : -1;
  }

  private ValueRange cast(Call call) {
    DataType from = call.arguments().get(0).type();
    DataType to = call.type();
    if (from.equals(to) || isWidening(from, to)) {
      return range(call.arguments().get(0));
    }
    if (TypeKind.INTEGERS.contains(TypeKind.of(from))) {
      if (to == PrimitiveType.FLOAT64) {
        return monotone(call, value -> ValueRange.ofDouble(((Long) value).doubleValue()));
      }
      if (to instanceof DecimalType decimal
          && decimal.precision() - decimal.scale() >= digits(from)) {
        return monotone(call, value -> BigDecimal.valueOf((Long) value));
      }
    }
    return unknown(call);
  }

  /** Returns whether a cast changes neither a value nor its comparable. */
  private static boolean isWidening(DataType from, DataType to) {
    if (from instanceof DecimalType a && to instanceof DecimalType b) {
      return b.scale() >= a.scale() && b.precision() - b.scale() >= a.precision() - a.scale();
    }
    if (from == PrimitiveType.FLOAT32) {
      return to == PrimitiveType.FLOAT64;
    }
    return integerBits(from) > 0 && integerBits(from) <= integerBits(to);
  }

  private static int integerBits(DataType type) {
    if (!(type instanceof PrimitiveType primitive)) {
      return 0;
    }
    return switch (primitive) {
      case INT8 -> Byte.SIZE;
      case INT16 -> Short.SIZE;
      case INT32 -> Integer.SIZE;
      case INT64 -> Long.SIZE;
      default -> 0;
    };
  }

  /** Returns the decimal digits that hold any value of an integer type. */
  private static int digits(DataType type) {
    return switch (integerBits(type)) {
      case Byte.SIZE -> 3;
      case Short.SIZE -> 5;
      case Integer.SIZE -> 10;
      default -> 19;
    };
  }

  /** Returns the range of a function that keeps the order and makes no nulls. */
  private ValueRange monotone(Call call, UnaryOperator<Comparable<?>> function) {
    ValueRange range = range(call.arguments().get(0));
    return new ValueRange(
        range.lower() == null ? null : function.apply(range.lower()),
        range.upper() == null ? null : function.apply(range.upper()),
        range.hasValues(),
        range.hasNulls() || (call.nullable() && !call.arguments().get(0).nullable()));
  }

  private static Comparable<?> year(Comparable<?> days) {
    return (long) LocalDate.ofEpochDay((Long) days).getYear();
  }
}
