package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.TypeKind;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import java.math.BigInteger;

/** Casts between fixed-width types. Semantics: Spark's Cast in its three modes. */
final class CastLowering {
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final int MAX_LONG_SCALE = 18;
  private static final int INT_WIDTH = 32;
  private static final int LONG_WIDTH = 64;

  private final Lowering lowering;
  private final TileBuilder builder;
  private final IntegerLowering integers;
  private final FloatLowering floats;
  private final DecimalLowering decimals;

  CastLowering(
      Lowering lowering, IntegerLowering integers, FloatLowering floats, DecimalLowering decimals) {
    this.lowering = lowering;
    this.builder = lowering.builder();
    this.integers = integers;
    this.floats = floats;
    this.decimals = decimals;
  }

  /** Lowers a cast of a value to the call's type. */
  Lowered cast(Call call, Lowered a) {
    DataType to = call.type();
    if (a.type().equals(to)) {
      return a;
    }
    FailureSite site = FailureSite.of(call, ExpressionError.CAST_OVERFLOW);
    TypeKind target = TypeKind.of(to);
    if (target == TypeKind.BOOLEAN) {
      return Lowered.mask(to, isNotZero(a), a.validity());
    }
    if (target == TypeKind.TIMESTAMP) {
      return toTimestamp(to, a);
    }
    return switch (TypeKind.of(a.type())) {
      case BOOLEAN -> fromInteger(call, asInteger(a), site);
      case INT8, INT16, INT32, INT64 -> fromInteger(call, a, site);
      case FLOAT32, FLOAT64 ->
          to instanceof DecimalType decimal
              ? decimals.ofDouble(
                  a, decimal, FailureSite.of(call, ExpressionError.DECIMAL_OVERFLOW))
              : fromFloat(to, a, site);
      case DECIMAL -> fromDecimal(to, a, site);
      case TIMESTAMP -> fromTimestamp(to, a, site);
      case TIMESTAMP_NTZ -> floorDivided(to, a, MICROS_PER_DAY);
      default -> throw new IllegalArgumentException("cast from " + a.type() + " to " + to);
    };
  }

  private TileValue isNotZero(Lowered a) {
    return switch (a.form()) {
      case DOUBLE -> builder.compare(TileOpcode.NE_F64, Kind.LANE, a.value(), Operand.of(0.0));
      case INTEGER -> builder.compare(TileOpcode.NE_I64, Kind.LANE, a.value(), Operand.of(0L));
      case WIDE -> builder.compare(TileOpcode.NE_I128, Kind.PAIR, a.value(), Operand.of(0L));
      case MASK -> a.maskValue();
    };
  }

  private Lowered asInteger(Lowered a) {
    Operand bit =
        Operand.of(builder.value(Kind.LANE, Action.of(TileOpcode.MASK_TO_I64, a.value(), 0)));
    return Lowered.of(PrimitiveType.INT8, Form.INTEGER, bit, a.validity());
  }

  private Lowered fromInteger(Call call, Lowered a, FailureSite site) {
    DataType to = call.type();
    if (to instanceof DecimalType decimal) {
      int bits = IntegerLowering.width(a.type()) - 1;
      DecimalType integer = new DecimalType(DecimalType.MAX_PRECISION, 0);
      BigInteger bound = integerBound(a, bits);
      Lowered exact = new Lowered(integer, Form.INTEGER, a.value(), a.validity(), bound);
      return decimals.rescaled(
          exact, decimal, FailureSite.of(call, ExpressionError.DECIMAL_OVERFLOW));
    }
    if (to == PrimitiveType.FLOAT64 || to == PrimitiveType.FLOAT32) {
      boolean isDouble = to == PrimitiveType.FLOAT64;
      TileOpcode opcode = isDouble ? TileOpcode.I64_TO_F64 : TileOpcode.I64_TO_F32;
      return Lowered.of(to, Form.DOUBLE, builder.lane(opcode, a.value(), 0), a.validity());
    }
    Lowered retyped = a.withType(to);
    boolean widens = IntegerLowering.width(to) >= IntegerLowering.width(a.type());
    return widens ? retyped : integers.narrowed(retyped, IntegerLowering.width(to), site);
  }

  private static BigInteger integerBound(Lowered a, int bits) {
    BigInteger limit = BigInteger.ONE.shiftLeft(bits);
    return a.value().isConstant() ? a.value().constant().abs().min(limit) : limit;
  }

  private Lowered fromFloat(DataType to, Lowered a, FailureSite site) {
    if (to == PrimitiveType.FLOAT64 || to == PrimitiveType.FLOAT32) {
      return floats.rounded(to, a.value(), a.validity());
    }
    int width = IntegerLowering.width(to);
    boolean isLong = width == LONG_WIDTH;
    TileOpcode opcode = isLong ? TileOpcode.F64_TO_I64 : TileOpcode.F64_TO_I32;
    Operand integer = builder.lane(opcode, a.value(), 0);
    if (width < INT_WIDTH) {
      integer = builder.lane(TileOpcode.NARROW_I64, integer, width);
    }
    Lowered result = Lowered.of(to, Form.INTEGER, integer, a.validity());
    if (site.mode() == EvaluationMode.LEGACY) {
      return result;
    }
    return lowering.failing(result, builder.not(fits(a, width)), site);
  }

  /** Spark's test: {@code floor(x) <= max && ceil(x) >= min}, the bounds as doubles. */
  private TileValue fits(Lowered a, int width) {
    double lowest = -Math.scalb(1.0, width - 1);
    double highest = width == LONG_WIDTH ? -lowest : -lowest - 1;
    Operand floor = builder.lane(TileOpcode.FLOOR_F64, a.value(), 0);
    Operand ceiling = builder.lane(TileOpcode.CEIL_F64, a.value(), 0);
    return builder.and(
        builder.compare(TileOpcode.LE_F64, Kind.LANE, floor, Operand.of(highest)),
        builder.compare(TileOpcode.GE_F64, Kind.LANE, ceiling, Operand.of(lowest)));
  }

  private Lowered fromDecimal(DataType to, Lowered a, FailureSite site) {
    if (to instanceof DecimalType decimal) {
      FailureSite overflow =
          new FailureSite(site.mode(), site.origin(), ExpressionError.DECIMAL_OVERFLOW);
      return decimals.rescaled(a, decimal, overflow);
    }
    if (to == PrimitiveType.FLOAT64) {
      return Lowered.of(to, Form.DOUBLE, decimalToDouble(a), a.validity());
    }
    return decimalToInteger(to, a, site);
  }

  private Operand decimalToDouble(Lowered a) {
    if (a.form() == Form.INTEGER && a.scale() <= MAX_LONG_SCALE) {
      return builder.lane(TileOpcode.DECIMAL_I64_TO_F64, a.value(), a.scale());
    }
    Operand pair = Operand.of(builder.pair(lowering.wide(a)));
    return Operand.of(
        builder.value(Kind.LANE, Action.of(TileOpcode.DECIMAL_TO_F64, pair, a.scale())));
  }

  /** Truncates; then wraps, or fails where the value does not fit. */
  private Lowered decimalToInteger(DataType to, Lowered a, FailureSite site) {
    int width = IntegerLowering.width(to);
    if (a.form() == Form.INTEGER && a.scale() <= MAX_LONG_SCALE) {
      Operand whole =
          a.scale() == 0 ? a.value() : builder.lane(TileOpcode.DIV_POW10_I64, a.value(), a.scale());
      Lowered integer = Lowered.of(to, Form.INTEGER, whole, a.validity());
      return integers.narrowed(integer, width, site);
    }
    Operand whole = lowering.wide(a);
    if (a.scale() > 0) {
      whole = builder.pair(TileOpcode.DIV_POW10_I128, whole, a.scale());
    }
    Operand low = decimals.lowHalf(whole);
    Lowered integer = Lowered.of(to, Form.INTEGER, low, a.validity());
    if (site.mode() != EvaluationMode.LEGACY) {
      integer = lowering.failing(integer, decimals.exceedsLong(whole), site);
    }
    return integers.narrowed(integer, width, site);
  }

  private Lowered fromTimestamp(DataType to, Lowered a, FailureSite site) {
    if (to == PrimitiveType.FLOAT64 || to == PrimitiveType.FLOAT32) {
      Operand micros = builder.lane(TileOpcode.I64_TO_F64, a.value(), 0);
      Operand divisor = Operand.of((double) MICROS_PER_SECOND);
      Operand seconds = builder.lanes(TileOpcode.DIV_F64, micros, divisor);
      return floats.rounded(to, seconds, a.validity());
    }
    Operand second = builder.lane(TileOpcode.SECOND_OF_MICROS, a.value(), 0);
    Lowered seconds = Lowered.of(to, Form.INTEGER, second, a.validity());
    return integers.narrowed(seconds, IntegerLowering.width(to), site);
  }

  /**
   * Lowers seconds to a timestamp: integers saturate as {@code TimeUnit.toMicros} does, a boolean
   * is a microsecond, and a NaN or infinite value is null.
   */
  private Lowered toTimestamp(DataType to, Lowered a) {
    if (a.form() == Form.MASK) {
      return asInteger(a).withType(to);
    }
    if (a.form() == Form.DOUBLE) {
      Operand factor = Operand.of((double) MICROS_PER_SECOND);
      Operand micros = builder.lanes(TileOpcode.MUL_F64, a.value(), factor);
      Operand absolute = builder.lane(TileOpcode.ABS_F64, a.value(), 0);
      Operand infinity = Operand.of(Double.POSITIVE_INFINITY);
      TileValue isFinite = builder.compare(TileOpcode.LT_F64, Kind.LANE, absolute, infinity);
      Operand whole = builder.lane(TileOpcode.F64_TO_I64, micros, 0);
      return Lowered.of(to, Form.INTEGER, whole, builder.and(a.validity(), isFinite));
    }
    Operand seconds = Operand.of(builder.lane(a.value()));
    TileOperation product =
        builder.withOverflow(
            Kind.LANE,
            Action.of(TileOpcode.MUL_OVERFLOW_I64, seconds, Operand.of(MICROS_PER_SECOND)));
    TileValue isNegative = builder.compare(TileOpcode.LT_I64, Kind.LANE, seconds, Operand.of(0L));
    Operand edge =
        builder.select(
            Kind.LANE, isNegative, Operand.of(Long.MIN_VALUE), Operand.of(Long.MAX_VALUE));
    Operand micros =
        builder.select(Kind.LANE, product.overflow(), edge, Operand.of(product.result()));
    return Lowered.of(to, Form.INTEGER, micros, a.validity());
  }

  private Lowered floorDivided(DataType to, Lowered a, long divisor) {
    Operand quotient = builder.lanes(TileOpcode.FLOOR_DIV_I64, a.value(), Operand.of(divisor));
    return Lowered.of(to, Form.INTEGER, quotient, a.validity());
  }
}
