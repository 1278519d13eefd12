package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Arithmetic of the reference interpreter, after Spark's arithmetic expressions and its Decimal
 * class.
 */
final class ReferenceArithmetic {
  /** Decimal.MATH_CONTEXT. */
  private static final MathContext PRODUCT = new MathContext(39, RoundingMode.DOWN);

  private static final int QUOTIENT_SCALE = 39;

  private ReferenceArithmetic() {}

  static Object failure(EvaluationMode mode, int code) {
    if (mode == EvaluationMode.ANSI) {
      throw new ReferenceError(code);
    }
    return null;
  }

  static BigDecimal decimal(Object unscaled, DataType type) {
    return new BigDecimal((BigInteger) unscaled, ((DecimalType) type).scale());
  }

  /** Decimal.toPrecision. */
  static Object toPrecision(BigDecimal value, DecimalType type, EvaluationMode mode) {
    BigInteger unscaled = value.setScale(type.scale(), RoundingMode.HALF_UP).unscaledValue();
    if (unscaled.abs().compareTo(BigInteger.TEN.pow(type.precision())) >= 0) {
      return failure(mode, ExpressionError.DECIMAL_OVERFLOW);
    }
    return unscaled;
  }

  static Object apply(Call call, Object a, Object b) {
    DataType type = call.arguments().get(0).type();
    if (type instanceof DecimalType) {
      return decimals(call, a, b);
    }
    if (type == PrimitiveType.FLOAT32) {
      return floats(call, (Float) a, (Float) b);
    }
    if (type == PrimitiveType.FLOAT64) {
      return doubles(call, (Double) a, (Double) b);
    }
    return integers(call, ((Number) a).longValue(), b == null ? 0 : ((Number) b).longValue());
  }

  private static Object decimals(Call call, Object x, Object y) {
    BigDecimal a = decimal(x, call.arguments().get(0).type());
    BigDecimal b = y == null ? null : decimal(y, call.arguments().get(1).type());
    DecimalType type = (DecimalType) call.type();
    boolean divides = call.function() == Function.DIVIDE || call.function() == Function.REMAINDER;
    if (divides && b.signum() == 0) {
      return failure(call.mode(), ExpressionError.DIVIDE_BY_ZERO);
    }
    BigDecimal exact =
        switch (call.function()) {
          case ADD -> a.add(b);
          case SUBTRACT -> a.subtract(b);
          case MULTIPLY -> a.multiply(b, PRODUCT);
          case DIVIDE -> a.divide(b, QUOTIENT_SCALE, RoundingMode.DOWN);
          case REMAINDER -> a.remainder(b, PRODUCT);
          case NEGATE -> a.negate();
          case ABS -> a.abs();
          default -> throw new IllegalArgumentException(call.toString());
        };
    return toPrecision(exact, type, call.mode());
  }

  private static Object floats(Call call, float a, Float boxed) {
    float b = boxed == null ? 0 : boxed;
    if (divides(call) && b == 0) {
      return failure(call.mode(), ExpressionError.DIVIDE_BY_ZERO);
    }
    return switch (call.function()) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
      case REMAINDER -> a % b;
      case NEGATE -> -a;
      case ABS -> Math.abs(a);
      case NORMALIZE_FLOATING -> a == 0 ? 0.0f : a;
      default -> throw new IllegalArgumentException(call.toString());
    };
  }

  private static Object doubles(Call call, double a, Double boxed) {
    double b = boxed == null ? 0 : boxed;
    if (divides(call) && b == 0) {
      return failure(call.mode(), ExpressionError.DIVIDE_BY_ZERO);
    }
    return switch (call.function()) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
      case REMAINDER -> a % b;
      case NEGATE -> -a;
      case ABS -> Math.abs(a);
      case SQRT -> Math.sqrt(a);
      case NORMALIZE_FLOATING -> a == 0 ? 0.0 : a;
      default -> throw new IllegalArgumentException(call.toString());
    };
  }

  private static boolean divides(Call call) {
    return call.function() == Function.DIVIDE
        || call.function() == Function.REMAINDER
        || call.function() == Function.INTEGRAL_DIVIDE;
  }

  private static Object integers(Call call, long a, long b) {
    if (divides(call) && b == 0) {
      return failure(call.mode(), ExpressionError.DIVIDE_BY_ZERO);
    }
    boolean isInt = call.type() == PrimitiveType.INT32;
    return switch (call.function()) {
      case ADD, SUBTRACT, MULTIPLY, NEGATE, ABS, INTEGRAL_DIVIDE -> fitted(call, a, b);
      case REMAINDER -> box(call, a % b);
      case BITWISE_AND -> box(call, a & b);
      case BITWISE_OR -> box(call, a | b);
      case BITWISE_XOR -> box(call, a ^ b);
      case BITWISE_NOT -> box(call, ~a);
      case SHIFT_LEFT -> box(call, isInt ? (int) a << (int) b : a << b);
      case SHIFT_RIGHT -> box(call, isInt ? (int) a >> (int) b : a >> b);
      case SHIFT_RIGHT_UNSIGNED -> box(call, isInt ? (int) a >>> (int) b : a >>> b);
      default -> throw new IllegalArgumentException(call.toString());
    };
  }

  private static Object fitted(Call call, long a, long b) {
    BigInteger x = BigInteger.valueOf(a);
    BigInteger y = BigInteger.valueOf(b);
    BigInteger exact =
        switch (call.function()) {
          case ADD -> x.add(y);
          case SUBTRACT -> x.subtract(y);
          case MULTIPLY -> x.multiply(y);
          case NEGATE -> x.negate();
          case ABS -> x.abs();
          default -> x.divide(y);
        };
    Object wrapped = box(call, exact.longValue());
    boolean fits = BigInteger.valueOf(((Number) wrapped).longValue()).equals(exact);
    return fits || call.mode() == EvaluationMode.LEGACY
        ? wrapped
        : failure(call.mode(), ExpressionError.ARITHMETIC_OVERFLOW);
  }

  private static Object box(Call call, long value) {
    return ReferenceInterpreter.boxed(value, call.type());
  }
}
