package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.concurrent.TimeUnit;

/** Casts of the reference interpreter, after Spark's Cast. */
final class ReferenceCast {
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private ReferenceCast() {}

  static Object cast(Call call, Object value, DataType from) {
    DataType to = call.type();
    if (from.equals(to)) {
      return value;
    }
    if (from == PrimitiveType.TIMESTAMP_MICROS) {
      return fromTimestamp(call, (Long) value, to);
    }
    if (to == PrimitiveType.TIMESTAMP_MICROS) {
      return toTimestamp(value);
    }
    if (from == PrimitiveType.TIMESTAMP_NTZ_MICROS) {
      return (int) Math.floorDiv((Long) value, MICROS_PER_DAY);
    }
    if (from == PrimitiveType.BOOLEAN) {
      return fromInteger(call, (Boolean) value ? 1 : 0, to);
    }
    if (from instanceof DecimalType) {
      return fromDecimal(call, ReferenceArithmetic.decimal(value, from), to);
    }
    if (ReferenceInterpreter.isFloating(from)) {
      return fromFloating(call, (Number) value, to);
    }
    return fromInteger(call, ((Number) value).longValue(), to);
  }

  private static Object fromTimestamp(Call call, long micros, DataType to) {
    if (to == PrimitiveType.BOOLEAN) {
      return micros != 0;
    }
    if (ReferenceInterpreter.isFloating(to)) {
      double seconds = micros / (double) MICROS_PER_SECOND;
      return to == PrimitiveType.FLOAT32 ? (Object) (float) seconds : (Object) seconds;
    }
    return fitted(call, BigInteger.valueOf(Math.floorDiv(micros, MICROS_PER_SECOND)), to);
  }

  private static Object toTimestamp(Object value) {
    if (value instanceof Boolean bit) {
      return bit ? 1L : 0L;
    }
    double number = ((Number) value).doubleValue();
    if (value instanceof Double || value instanceof Float) {
      boolean isFinite = !Double.isNaN(number) && !Double.isInfinite(number);
      return isFinite ? (Object) (long) (number * MICROS_PER_SECOND) : null;
    }
    return TimeUnit.SECONDS.toMicros(((Number) value).longValue());
  }

  private static Object fromInteger(Call call, long value, DataType to) {
    if (to == PrimitiveType.BOOLEAN) {
      return value != 0;
    }
    if (to == PrimitiveType.FLOAT32) {
      return (float) value;
    }
    if (to == PrimitiveType.FLOAT64) {
      return (double) value;
    }
    if (to instanceof DecimalType decimal) {
      return ReferenceArithmetic.toPrecision(BigDecimal.valueOf(value), decimal, call.mode());
    }
    return fitted(call, BigInteger.valueOf(value), to);
  }

  private static Object fromFloating(Call call, Number number, DataType to) {
    double value = number.doubleValue();
    if (to == PrimitiveType.BOOLEAN) {
      return value != 0;
    }
    if (to == PrimitiveType.FLOAT32) {
      return (float) value;
    }
    if (to == PrimitiveType.FLOAT64) {
      return value;
    }
    if (to instanceof DecimalType decimal) {
      return Double.isNaN(value) || Double.isInfinite(value)
          ? null
          : ReferenceArithmetic.toPrecision(BigDecimal.valueOf(value), decimal, call.mode());
    }
    int bits = to.defaultPhysicalType().widthInBytes() * Byte.SIZE;
    long highest = bits == Long.SIZE ? Long.MAX_VALUE : (1L << (bits - 1)) - 1;
    boolean fits = Math.floor(value) <= highest && Math.ceil(value) >= -highest - 1;
    if (!fits && call.mode() != EvaluationMode.LEGACY) {
      return ReferenceArithmetic.failure(call.mode(), ExpressionError.CAST_OVERFLOW);
    }
    long whole = bits == Long.SIZE ? (long) value : (int) value;
    return ReferenceInterpreter.boxed(whole, to);
  }

  private static Object fromDecimal(Call call, BigDecimal value, DataType to) {
    if (to == PrimitiveType.BOOLEAN) {
      return value.signum() != 0;
    }
    if (to == PrimitiveType.FLOAT64) {
      return value.doubleValue();
    }
    if (to instanceof DecimalType decimal) {
      return ReferenceArithmetic.toPrecision(value, decimal, call.mode());
    }
    return fitted(call, value.setScale(0, RoundingMode.DOWN).unscaledValue(), to);
  }

  private static Object fitted(Call call, BigInteger exact, DataType to) {
    Object wrapped = ReferenceInterpreter.boxed(exact.longValue(), to);
    boolean fits = BigInteger.valueOf(((Number) wrapped).longValue()).equals(exact);
    return fits || call.mode() == EvaluationMode.LEGACY
        ? wrapped
        : ReferenceArithmetic.failure(call.mode(), ExpressionError.CAST_OVERFLOW);
  }
}
