package io.ariadne.parquet.prune;

import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.util.List;

/**
 * Evaluates predicates on what is known about a set of rows. The result is a {@link Truth} set that
 * contains at least every value that the predicate has for one of the rows.
 */
final class PredicateEvaluator {
  private final ColumnFacts facts;
  private final RangeEvaluator ranges;

  PredicateEvaluator(ColumnFacts facts) {
    this.facts = facts;
    this.ranges = new RangeEvaluator(facts);
  }

  /** Returns the set of values that a boolean expression may have. */
  int evaluate(Expression expression) {
    if (expression instanceof Call call) {
      return call(call);
    }
    if (expression instanceof Literal || expression instanceof ColumnReference) {
      return ofBooleans(ranges.range(expression));
    }
    return unknown(expression);
  }

  private static int unknown(Expression expression) {
    return expression.nullable() ? Truth.ANY : Truth.TRUE | Truth.FALSE;
  }

  private static int ofBooleans(ValueRange range) {
    int result = range.hasNulls() ? Truth.NULL : Truth.NONE;
    if (range.hasValues()) {
      ValueRange one = ValueRange.point(1L);
      result |= equal(range.withNulls(false), one);
    }
    return result;
  }

  private int call(Call call) {
    List<Expression> arguments = call.arguments();
    return switch (call.function()) {
      case AND -> Truth.and(evaluate(arguments.get(0)), evaluate(arguments.get(1)));
      case OR -> Truth.or(evaluate(arguments.get(0)), evaluate(arguments.get(1)));
      case NOT -> Truth.not(evaluate(arguments.get(0)));
      case IS_NULL -> isNull(ranges.range(arguments.get(0)));
      case IS_NOT_NULL -> Truth.not(isNull(ranges.range(arguments.get(0))));
      case IS_NAN -> isNan(ranges.range(arguments.get(0)));
      case IN -> in(arguments);
      case EQUAL, NULL_SAFE_EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
          comparison(call.function(), arguments.get(0), arguments.get(1));
      default -> unknown(call);
    };
  }

  private static int isNull(ValueRange range) {
    return (range.hasNulls() ? Truth.TRUE : 0) | (range.hasValues() ? Truth.FALSE : 0);
  }

  private static int isNan(ValueRange range) {
    boolean mayBe = range.hasValues() && (range.upper() == null || isNan(range.upper()));
    boolean mayNotBe = range.hasNulls() || range.lower() == null || !isNan(range.lower());
    return (mayBe ? Truth.TRUE : 0) | (mayNotBe ? Truth.FALSE : 0);
  }

  private static boolean isNan(Comparable<?> value) {
    return value instanceof Double number && number.isNaN();
  }

  private int comparison(Function function, Expression left, Expression right) {
    ValueRange a = ranges.range(left);
    ValueRange b = ranges.range(right);
    int values = Truth.NONE;
    if (a.hasValues() && b.hasValues()) {
      values =
          switch (function) {
            case EQUAL, NULL_SAFE_EQUAL -> contained(left, a, right, b, equal(a, b));
            case NOT_EQUAL -> Truth.not(contained(left, a, right, b, equal(a, b)));
            case LESS -> less(a, b);
            case GREATER -> less(b, a);
            case LESS_OR_EQUAL -> Truth.not(less(b, a));
            default -> Truth.not(less(a, b));
          };
    }
    if (function == Function.NULL_SAFE_EQUAL) {
      return values | nullSafe(a, b);
    }
    return a.hasNulls() || b.hasNulls() ? values | Truth.NULL : values;
  }

  private static int nullSafe(ValueRange a, ValueRange b) {
    boolean bothNull = a.hasNulls() && b.hasNulls();
    boolean oneNull = (a.hasNulls() && b.hasValues()) || (a.hasValues() && b.hasNulls());
    return (bothNull ? Truth.TRUE : 0) | (oneNull ? Truth.FALSE : 0);
  }

  /**
   * Removes the truth value of equality if one side is a column that certainly does not contain the
   * other side's value.
   */
  private int contained(Expression left, ValueRange a, Expression right, ValueRange b, int set) {
    boolean isAbsent = isAbsent(left, b) || isAbsent(right, a);
    return isAbsent ? (set & ~Truth.TRUE) | Truth.FALSE : set;
  }

  private boolean isAbsent(Expression expression, ValueRange value) {
    if (!value.isPoint()) {
      return false;
    }
    int column = ranges.columnOfValues(expression);
    return column >= 0 && !facts.mayContain(column, value.lower());
  }

  /** Compares values that are not null. */
  private static int equal(ValueRange a, ValueRange b) {
    if (!a.isComparableTo(b)) {
      return Truth.TRUE | Truth.FALSE;
    }
    boolean isApart = isBelow(a, b) || isBelow(b, a);
    boolean isSame = a.isPoint() && b.isPoint() && ValueRange.compare(a.lower(), b.lower()) == 0;
    return (isApart ? 0 : Truth.TRUE) | (isSame ? 0 : Truth.FALSE);
  }

  /** Returns whether every value of the first range is below every value of the second. */
  private static boolean isBelow(ValueRange a, ValueRange b) {
    return a.upper() != null && b.lower() != null && ValueRange.compare(a.upper(), b.lower()) < 0;
  }

  private static int less(ValueRange a, ValueRange b) {
    if (!a.isComparableTo(b)) {
      return Truth.TRUE | Truth.FALSE;
    }
    boolean mayBe =
        a.lower() == null || b.upper() == null || ValueRange.compare(a.lower(), b.upper()) < 0;
    return (mayBe ? Truth.TRUE : 0) | (isBelow(a, b) ? 0 : Truth.FALSE);
  }

  private int in(List<Expression> arguments) {
    Expression tested = arguments.get(0);
    ValueRange range = ranges.range(tested);
    boolean mayMatch = false;
    boolean surelyMatches = false;
    boolean hasNull = false;
    for (Expression candidate : arguments.subList(1, arguments.size())) {
      ValueRange value = ranges.range(candidate);
      hasNull |= value.hasNulls();
      if (value.hasValues() && range.hasValues()) {
        int set = contained(tested, range, candidate, value, equal(range, value));
        mayMatch |= Truth.has(set, Truth.TRUE);
        surelyMatches |= set == Truth.TRUE && !value.hasNulls();
      }
    }
    int result = mayMatch ? Truth.TRUE : Truth.NONE;
    if (range.hasValues() && !surelyMatches) {
      result |= Truth.FALSE | (hasNull ? Truth.NULL : 0);
    }
    return range.hasNulls() ? result | Truth.NULL : result;
  }
}
