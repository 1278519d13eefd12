package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Evaluates expressions row by row in plain Java, as Spark's interpreted expressions do: the
 * reference for compiled programs.
 *
 * <p>Values are as {@code ColumnReader.getValue}: decimals are unscaled BigIntegers.
 */
public final class ReferenceInterpreter {
  private ReferenceInterpreter() {}

  /**
   * Evaluates an expression.
   *
   * @param expression without bridged calls
   * @param row the input's values
   * @return the value, or null
   * @throws ReferenceError where Spark would raise in ANSI mode
   */
  public static Object evaluate(Expression expression, List<Object> row) {
    if (expression instanceof ColumnReference reference) {
      return row.get(reference.index());
    }
    if (expression instanceof Literal literal) {
      return ReferenceStrings.ofBatch(literal.value(), literal.type());
    }
    return call((Call) expression, row);
  }

  private static Object call(Call call, List<Object> row) {
    boolean isOfStrings =
        StringHeaps.readsCharacters(call.function())
            && StringHeaps.isView(call.arguments().get(0).type());
    if (isOfStrings
        && call.function() != Function.IN
        && call.function() != Function.NULL_SAFE_EQUAL) {
      return ReferenceStrings.strict(call, row);
    }
    return switch (call.function()) {
      case AND -> and(call, row);
      case OR -> or(call, row);
      case CASE_WHEN -> caseWhen(call, row);
      case COALESCE -> coalesce(call, row);
      case IN -> in(call, row);
      case IS_NULL -> argument(call, 0, row) == null;
      case IS_NOT_NULL -> argument(call, 0, row) != null;
      case IS_NAN -> isNan(argument(call, 0, row));
      case NULL_SAFE_EQUAL -> nullSafeEqual(call, row);
      case MURMUR3_HASH, XXHASH64 -> ReferenceHash.hash(call, row);
      case GREATEST, LEAST -> extreme(call, row);
      case NANVL -> {
        Object value = argument(call, 0, row);
        yield isNan(value).equals(true) ? argument(call, 1, row) : value;
      }
      case MAKE_DATE -> {
        List<Object> fields = nullIntolerant(call, row);
        yield fields == null ? null : ReferenceDates.make(call, fields);
      }
      default -> {
        if (ReferenceTimes.FUNCTIONS.contains(call.function())) {
          List<Object> values = nullIntolerant(call, row);
          yield values == null ? null : ReferenceTimes.apply(call, values);
        }
        yield strict(call, row);
      }
    };
  }

  private static Object argument(Call call, int index, List<Object> row) {
    return evaluate(call.arguments().get(index), row);
  }

  /** Returns the arguments' values, or null at the first that is null: the rest is not computed. */
  private static List<Object> nullIntolerant(Call call, List<Object> row) {
    List<Object> values = new ArrayList<>();
    for (Expression argument : call.arguments()) {
      Object value = evaluate(argument, row);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return values;
  }

  private static Object extreme(Call call, List<Object> row) {
    int sign = call.function() == Function.GREATEST ? 1 : -1;
    Object best = null;
    for (Expression argument : call.arguments()) {
      Object value = evaluate(argument, row);
      if (value != null && (best == null || sign * compare(value, best) > 0)) {
        best = value;
      }
    }
    return best;
  }

  private static Object and(Call call, List<Object> row) {
    Object a = argument(call, 0, row);
    if (Boolean.FALSE.equals(a)) {
      return false;
    }
    Object b = argument(call, 1, row);
    if (Boolean.FALSE.equals(b)) {
      return false;
    }
    return (a == null || b == null) ? null : true;
  }

  private static Object or(Call call, List<Object> row) {
    Object a = argument(call, 0, row);
    if (Boolean.TRUE.equals(a)) {
      return true;
    }
    Object b = argument(call, 1, row);
    if (Boolean.TRUE.equals(b)) {
      return true;
    }
    return (a == null || b == null) ? null : false;
  }

  private static Object caseWhen(Call call, List<Object> row) {
    int last = call.arguments().size() - 1;
    for (int i = 0; i < last; i += 2) {
      if (Boolean.TRUE.equals(argument(call, i, row))) {
        return argument(call, i + 1, row);
      }
    }
    return argument(call, last, row);
  }

  private static Object coalesce(Call call, List<Object> row) {
    for (Expression argument : call.arguments()) {
      Object value = evaluate(argument, row);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  private static Object in(Call call, List<Object> row) {
    Object value = argument(call, 0, row);
    if (value == null) {
      return null;
    }
    boolean hasNull = false;
    for (int i = 1; i < call.arguments().size(); i++) {
      Object candidate = argument(call, i, row);
      hasNull |= candidate == null;
      if (candidate != null && compare(value, candidate) == 0) {
        return true;
      }
    }
    return hasNull ? null : false;
  }

  private static boolean isDivision(Function function) {
    return function == Function.DIVIDE
        || function == Function.INTEGRAL_DIVIDE
        || function == Function.REMAINDER
        || function == Function.POSITIVE_MODULO;
  }

  private static Object isNan(Object value) {
    return value != null && Double.isNaN(((Number) value).doubleValue());
  }

  private static Object nullSafeEqual(Call call, List<Object> row) {
    Object a = argument(call, 0, row);
    Object b = argument(call, 1, row);
    return (a == null || b == null) ? a == b : compare(a, b) == 0;
  }

  /**
   * Functions that are null where an argument is. Where the first is null, the second is not
   * computed; divisions begin with the divisor.
   */
  private static Object strict(Call call, List<Object> row) {
    boolean isBinary = call.arguments().size() > 1;
    int first = isBinary && isDivision(call.function()) ? 1 : 0;
    Object one = argument(call, first, row);
    Object other = isBinary && one != null ? argument(call, 1 - first, row) : null;
    if (one == null || (isBinary && other == null)) {
      return null;
    }
    Object a = first == 0 ? one : other;
    Object b = first == 0 ? other : one;
    DataType type = call.arguments().get(0).type();
    return switch (call.function()) {
      case NOT -> !(Boolean) a;
      case EQUAL -> compare(a, b) == 0;
      case NOT_EQUAL -> compare(a, b) != 0;
      case LESS -> compare(a, b) < 0;
      case LESS_OR_EQUAL -> compare(a, b) <= 0;
      case GREATER -> compare(a, b) > 0;
      case GREATER_OR_EQUAL -> compare(a, b) >= 0;
      case REINTERPRET -> a;
      case CAST -> ReferenceCast.cast(call, a, type);
      case CHECK_OVERFLOW ->
          ReferenceArithmetic.toPrecision(
              ReferenceArithmetic.decimal(a, type), (DecimalType) call.type(), call.mode());
      case UNSCALED_VALUE -> ((BigInteger) a).longValueExact();
      case MAKE_DECIMAL -> makeDecimal(call, (Long) a);
      case ROUND, ROUND_HALF_EVEN, CEILING, FLOOR -> ReferenceMath.round(call, a, (Integer) b);
      case POSITIVE_MODULO -> ReferenceMath.positiveModulo(call, (Number) a, (Number) b);
      case SIGNUM, RINT, TO_DEGREES, TO_RADIANS, FACTORIAL, BIT_COUNT ->
          ReferenceMath.unary(call, a);
      case BIT_GET -> ReferenceMath.bitGet(call, (Number) a, (Integer) b);
      default ->
          type == PrimitiveType.DATE32
              ? ReferenceDates.apply(call, (Integer) a, b)
              : ReferenceArithmetic.apply(call, a, b);
    };
  }

  private static Object makeDecimal(Call call, long unscaled) {
    BigInteger value = BigInteger.valueOf(unscaled);
    DecimalType type = (DecimalType) call.type();
    if (value.abs().compareTo(BigInteger.TEN.pow(type.precision())) >= 0) {
      return ReferenceArithmetic.failure(call.mode(), ExpressionError.DECIMAL_OVERFLOW);
    }
    return value;
  }

  /** Compares as Spark orders: NaN is largest and equal to itself, zeros are equal. */
  public static int compare(Object a, Object b) {
    if (a instanceof Double x && b instanceof Double y) {
      return x.doubleValue() == y.doubleValue() ? 0 : Double.compare(x, y);
    }
    if (a instanceof Float x && b instanceof Float y) {
      return x.floatValue() == y.floatValue() ? 0 : Float.compare(x, y);
    }
    if (a instanceof Boolean x) {
      return Boolean.compare(x, (Boolean) b);
    }
    if (a instanceof String x) {
      return x.equals(b) ? 0 : 1; // IN and <=> only
    }
    if (a instanceof BigInteger x) {
      return x.compareTo((BigInteger) b);
    }
    return Long.compare(((Number) a).longValue(), ((Number) b).longValue());
  }

  /** Returns an integer as the box of its type. */
  public static Object boxed(long value, DataType type) {
    return switch (type.defaultPhysicalType()) {
      case I8 -> (Object) (byte) value;
      case I16 -> (short) value;
      case I32 -> (int) value;
      default -> value;
    };
  }

  /** Returns whether a type is FLOAT32 or FLOAT64. */
  static boolean isFloating(DataType type) {
    return type == PrimitiveType.FLOAT32 || type == PrimitiveType.FLOAT64;
  }
}
