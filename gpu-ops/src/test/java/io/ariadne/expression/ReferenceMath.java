package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Rounding and the like of the reference interpreter, after Spark's mathExpressions. */
final class ReferenceMath {
  private ReferenceMath() {}

  /** ROUND and its like. */
  static Object round(Call call, Object a, int digits) {
    DataType from = call.arguments().get(0).type();
    RoundingMode mode =
        switch (call.function()) {
          case ROUND -> RoundingMode.HALF_UP;
          case ROUND_HALF_EVEN -> RoundingMode.HALF_EVEN;
          case CEILING -> RoundingMode.CEILING;
          default -> RoundingMode.FLOOR;
        };
    if (call.type() instanceof DecimalType type) {
      BigDecimal value = ReferenceArithmetic.decimal(a, from);
      BigDecimal rounded = digits >= value.scale() ? value : value.setScale(digits, mode);
      return ReferenceArithmetic.toPrecision(rounded, type, call.mode());
    }
    if (ReferenceInterpreter.isFloating(from)) {
      return roundFloating(call, ((Number) a).doubleValue(), digits, mode);
    }
    BigInteger rounded =
        BigDecimal.valueOf(((Number) a).longValue()).setScale(digits, mode).toBigInteger();
    Object wrapped = ReferenceInterpreter.boxed(rounded.longValue(), call.type());
    boolean fits = BigInteger.valueOf(((Number) wrapped).longValue()).equals(rounded);
    return fits || call.mode() == EvaluationMode.LEGACY
        ? wrapped
        : ReferenceArithmetic.failure(call.mode(), ExpressionError.ARITHMETIC_OVERFLOW);
  }

  private static Object roundFloating(Call call, double a, int digits, RoundingMode mode) {
    if (call.type() == PrimitiveType.INT64) {
      return (long) (mode == RoundingMode.CEILING ? Math.ceil(a) : Math.floor(a));
    }
    boolean isFinite = !Double.isNaN(a) && !Double.isInfinite(a);
    if (!isFinite) {
      return call.type() == PrimitiveType.FLOAT32 ? (Object) (float) a : (Object) a;
    }
    BigDecimal rounded = BigDecimal.valueOf(a).setScale(digits, mode);
    return call.type() == PrimitiveType.FLOAT32
        ? (Object) rounded.floatValue()
        : (Object) rounded.doubleValue();
  }

  /** POSITIVE_MODULO. */
  static Object positiveModulo(Call call, Number a, Number n) {
    if (n.doubleValue() == 0) {
      return ReferenceArithmetic.failure(call.mode(), ExpressionError.DIVIDE_BY_ZERO);
    }
    if (a instanceof Double x) {
      double rest = x % (Double) n;
      return rest < 0 ? (rest + (Double) n) % (Double) n : rest;
    }
    if (a instanceof Float x) {
      float rest = x % (Float) n;
      return rest < 0 ? (rest + (Float) n) % (Float) n : rest;
    }
    if (a instanceof Long x) {
      long rest = x % (Long) n;
      return rest < 0 ? (rest + (Long) n) % (Long) n : rest;
    }
    int rest = a.intValue() % n.intValue();
    int result = rest < 0 ? (rest + n.intValue()) % n.intValue() : rest;
    return ReferenceInterpreter.boxed(result, call.type());
  }

  /** Functions of one number; null for another function. */
  static Object unary(Call call, Object a) {
    return switch (call.function()) {
      case SIGNUM -> Math.signum(((Number) a).doubleValue());
      case RINT -> Math.rint((Double) a);
      case TO_DEGREES -> Math.toDegrees((Double) a);
      case TO_RADIANS -> Math.toRadians((Double) a);
      case FACTORIAL -> factorial((Integer) a);
      case BIT_COUNT ->
          a instanceof Boolean bit ? (bit ? 1 : 0) : Long.bitCount(((Number) a).longValue());
      default -> throw new IllegalArgumentException(call.toString());
    };
  }

  private static Long factorial(int n) {
    if (n < 0 || n > 20) {
      return null;
    }
    long product = 1;
    for (int i = 2; i <= n; i++) {
      product *= i;
    }
    return product;
  }

  /** BIT_GET. */
  static Object bitGet(Call call, Number a, int position) {
    int width = call.arguments().get(0).type().defaultPhysicalType().widthInBytes() * Byte.SIZE;
    return position < 0 || position >= width
        ? ReferenceArithmetic.failure(call.mode(), ExpressionError.ARITHMETIC_OVERFLOW)
        : (Object) (byte) (a.longValue() >> position & 1);
  }
}
