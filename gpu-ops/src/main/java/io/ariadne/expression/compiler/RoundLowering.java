package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.FloatText;
import io.ariadne.expression.Function;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import java.math.BigInteger;

/**
 * Lowers rounding to a number of digits after the decimal point, which may be negative.
 *
 * <p>Semantics: Spark's RoundBase, Ceil and Floor. Integers wrap outside ANSI mode; a decimal with
 * too many digits fails.
 */
final class RoundLowering {
  private static final int MAX_LONG_DIGITS = 18;

  /** Digits of the largest 64-bit integer: 10^19 is the furthest a rounded one can be from 0. */
  private static final int LONG_DIGITS = 19;

  private static final double LARGEST_WITH_FRACTION = 0x1p52;

  private final Lowering lowering;
  private final TileBuilder builder;
  private final LaneArithmetic lanes;
  private final IntegerLowering integers;
  private final DecimalLowering decimals;

  RoundLowering(Lowering lowering, IntegerLowering integers, DecimalLowering decimals) {
    this.lowering = lowering;
    this.builder = lowering.builder();
    this.lanes = new LaneArithmetic(builder);
    this.integers = integers;
    this.decimals = decimals;
  }

  /**
   * Lowers ROUND, ROUND_HALF_EVEN, CEILING and FLOOR. The second argument is a literal, by which a
   * decimal loses at most 38 digits.
   */
  Lowered round(Call call, Lowered a) {
    int digits = (int) DateLowering.longOf(call.arguments().get(1));
    if (call.type() instanceof DecimalType type) {
      return roundDecimal(call, a, type, digits);
    }
    if (a.form() == Form.DOUBLE) {
      return digits == 0 && !readsText(call) ? roundDouble(call, a) : roundDigits(call, a, digits);
    }
    return digits >= 0 ? a : roundInteger(call, a, -digits);
  }

  /**
   * Returns whether rounding has to read the digits of {@code Double.toString}: up to JDK 18 the
   * text of a large double may be another double.
   */
  private static boolean readsText(Call call) {
    boolean isRounded =
        call.function() == Function.ROUND || call.function() == Function.ROUND_HALF_EVEN;
    return isRounded
        && call.type() == PrimitiveType.FLOAT64
        && FloatText.OF_THIS_JVM == FloatText.CLASSIC;
  }

  private Lowered roundDecimal(Call call, Lowered a, DecimalType type, int digits) {
    FailureSite site = FailureSite.of(call, ExpressionError.DECIMAL_OVERFLOW);
    int dropped = Math.max(0, a.scale() - digits);
    if (dropped == 0) {
      return decimals.rescaled(a, type, site);
    }
    boolean isLong = a.form() == Form.INTEGER && dropped <= MAX_LONG_DIGITS;
    Lowered source = isLong ? a : lowering.widened(a);
    Operand whole = divided(call.function(), source, dropped);
    BigInteger bound = a.bound().divide(DecimalLowering.power(dropped)).add(BigInteger.ONE);
    int scale = a.scale() - dropped;
    DecimalType rounded = new DecimalType(DecimalType.MAX_PRECISION, Math.max(0, scale));
    Lowered result = new Lowered(rounded, source.form(), whole, a.validity(), bound);
    return decimals.rescaled(decimals.scaledUp(result, Math.max(0, -scale)), type, site);
  }

  private Lowered roundInteger(Call call, Lowered a, int dropped) {
    if (dropped > LONG_DIGITS) {
      return Lowered.of(call.type(), Form.INTEGER, Operand.of(0L), a.validity());
    }
    FailureSite site = FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW);
    int width = IntegerLowering.width(call.type());
    if (width < Long.SIZE && dropped <= MAX_LONG_DIGITS) {
      Operand rounded =
          lanes.multiply(
              divided(call.function(), a, dropped), DecimalLowering.power(dropped).longValue());
      Lowered result = Lowered.of(call.type(), Form.INTEGER, rounded, a.validity());
      return integers.narrowed(result, width, site);
    }
    Operand whole = divided(call.function(), lowering.widened(a), dropped);
    Operand factor = Operand.of(DecimalLowering.power(dropped));
    Operand exact = builder.pairs(TileOpcode.MUL_I128, whole, factor);
    Lowered result = Lowered.of(call.type(), Form.INTEGER, decimals.lowHalf(exact), a.validity());
    return site.mode() == EvaluationMode.LEGACY
        ? integers.narrowed(result, width, site)
        : integers.narrowed(
            lowering.failing(result, decimals.exceedsLong(exact), site), width, site);
  }

  /** Divides by a power of ten and rounds; at most 18 digits of a lane, 38 of a pair. */
  private Operand divided(Function function, Lowered a, int digits) {
    boolean isLane = a.form() == Form.INTEGER;
    if (function == Function.ROUND) {
      return isLane
          ? builder.lane(TileOpcode.DIV_POW10_HALF_UP_I64, a.value(), digits)
          : builder.pair(TileOpcode.DIV_POW10_HALF_UP_I128, a.value(), digits);
    }
    Operand whole =
        isLane
            ? builder.lane(TileOpcode.DIV_POW10_I64, a.value(), digits)
            : builder.pair(TileOpcode.DIV_POW10_I128, a.value(), digits);
    Operand rest = rest(a, whole, digits);
    Kind kind = a.form().kind();
    Operand away =
        switch (function) {
          case CEILING -> chosen(kind, compare(kind, TileOpcode.GT_I64, rest, BigInteger.ZERO), 1);
          case FLOOR -> chosen(kind, compare(kind, TileOpcode.LT_I64, rest, BigInteger.ZERO), -1);
          default -> awayFromZero(kind, whole, rest, DecimalLowering.power(digits));
        };
    return builder.value(kind, isLane ? TileOpcode.ADD_I64 : TileOpcode.ADD_I128, whole, away);
  }

  private Operand rest(Lowered a, Operand whole, int digits) {
    Operand power = Operand.of(DecimalLowering.power(digits));
    return a.form() == Form.INTEGER
        ? lanes.subtract(a.value(), builder.lanes(TileOpcode.MUL_I64, whole, power))
        : builder.pairs(
            TileOpcode.SUB_I128, a.value(), builder.pairs(TileOpcode.MUL_I128, whole, power));
  }

  /** Returns what half-even rounding adds to a quotient that was truncated towards zero. */
  private Operand awayFromZero(Kind kind, Operand whole, Operand rest, BigInteger power) {
    BigInteger half = power.shiftRight(1);
    TileValue isOver =
        builder.or(
            compare(kind, TileOpcode.GT_I64, rest, half),
            compare(kind, TileOpcode.LT_I64, rest, half.negate()));
    TileValue isTie =
        builder.or(
            compare(kind, TileOpcode.EQ_I64, rest, half),
            compare(kind, TileOpcode.EQ_I64, rest, half.negate()));
    Operand low = kind == Kind.LANE ? whole : decimals.lowHalf(whole);
    Operand bit = builder.lanes(TileOpcode.AND_I64, low, Operand.of(1L));
    TileValue isOdd = lanes.compare(TileOpcode.NE_I64, bit, 0);
    TileValue rounds = builder.or(isOver, builder.and(isTie, isOdd));
    TileValue isNegative = compare(kind, TileOpcode.LT_I64, rest, BigInteger.ZERO);
    Operand up = chosen(kind, builder.andNot(rounds, isNegative), 1);
    Operand down = chosen(kind, builder.and(rounds, isNegative), -1);
    return builder.value(
        kind, kind == Kind.LANE ? TileOpcode.ADD_I64 : TileOpcode.ADD_I128, up, down);
  }

  private Operand chosen(Kind kind, TileValue mask, long value) {
    return builder.select(kind, mask, Operand.of(value), Operand.of(0L));
  }

  private TileValue compare(Kind kind, TileOpcode opcode, Operand a, BigInteger b) {
    TileOpcode wide = TileOpcode.valueOf(opcode.name().replace("_I64", "_I128"));
    return builder.compare(kind == Kind.LANE ? opcode : wide, kind, a, Operand.of(b));
  }

  /**
   * Rounds the digits of {@code Double.toString} to a number of digits after the point, or before
   * it.
   */
  private Lowered roundDigits(Call call, Lowered a, int digits) {
    boolean isHalfEven = call.function() == Function.ROUND_HALF_EVEN;
    boolean isFloat = call.type() == PrimitiveType.FLOAT32;
    long rounding = DigitRounding.toFloat(digits, isHalfEven, isFloat);
    Operand lane = Operand.of(builder.lane(a.value()));
    Operand rounded = builder.lane(TileOpcode.ROUND_DIGITS_F64, lane, rounding);
    return Lowered.of(call.type(), Form.DOUBLE, rounded, a.validity());
  }

  /**
   * Rounds to an integral number. Spark rounds the decimal number that {@code Double.toString}
   * writes; it is on the same side of every tie as the double, since ties of integral numbers are
   * doubles themselves.
   */
  private Lowered roundDouble(Call call, Lowered a) {
    Operand rounded =
        switch (call.function()) {
          case ROUND -> halfUp(a.value());
          case ROUND_HALF_EVEN -> halfEven(a.value());
          case CEILING -> builder.lane(TileOpcode.CEIL_F64, a.value(), 0);
          default -> builder.lane(TileOpcode.FLOOR_F64, a.value(), 0);
        };
    if (call.type() == PrimitiveType.INT64) {
      Operand integer = builder.lane(TileOpcode.F64_TO_I64, rounded, 0);
      return Lowered.of(call.type(), Form.INTEGER, integer, a.validity());
    }
    Operand positiveZero = builder.lanes(TileOpcode.ADD_F64, rounded, Operand.of(0.0));
    return Lowered.of(call.type(), Form.DOUBLE, positiveZero, a.validity());
  }

  private Operand halfUp(Operand a) {
    Operand absolute = builder.lane(TileOpcode.ABS_F64, a, 0);
    Operand whole = builder.lane(TileOpcode.FLOOR_F64, absolute, 0);
    Operand fraction = builder.lanes(TileOpcode.SUB_F64, absolute, whole);
    TileValue up = builder.compare(TileOpcode.GE_F64, Kind.LANE, fraction, Operand.of(0.5));
    Operand one = builder.select(Kind.LANE, up, Operand.of(1.0), Operand.of(0.0));
    return withSign(builder.lanes(TileOpcode.ADD_F64, whole, one), a);
  }

  /** Lowers RINT. */
  Lowered rint(Call call, Lowered a) {
    return Lowered.of(call.type(), Form.DOUBLE, halfEven(a.value()), a.validity());
  }

  /** Adding 2^52 leaves no bits for a fraction. */
  private Operand halfEven(Operand a) {
    Operand absolute = builder.lane(TileOpcode.ABS_F64, a, 0);
    Operand large = Operand.of(LARGEST_WITH_FRACTION);
    Operand sum = builder.lanes(TileOpcode.ADD_F64, absolute, large);
    Operand rounded = builder.lanes(TileOpcode.SUB_F64, sum, large);
    TileValue hasFraction = builder.compare(TileOpcode.LT_F64, Kind.LANE, absolute, large);
    return withSign(builder.select(Kind.LANE, hasFraction, rounded, absolute), a);
  }

  private Operand withSign(Operand magnitude, Operand of) {
    TileValue isNegative = lanes.compare(TileOpcode.LT_I64, of, 0);
    return builder.select(
        Kind.LANE, isNegative, builder.lane(TileOpcode.NEG_F64, magnitude, 0), magnitude);
  }
}
