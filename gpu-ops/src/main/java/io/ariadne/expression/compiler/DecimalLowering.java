package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DecimalType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import java.math.BigInteger;

/**
 * Lowers decimal arithmetic on unscaled integers: in 64 bits while interval arithmetic proves that
 * everything fits, else in 128 bits, else with operations that are exact beyond 128 bits.
 *
 * <p>Semantics: Spark's BinaryArithmetic on decimals and {@code Decimal.toPrecision}: the exact
 * result, rounded HALF_UP to the result's scale; null or an error when it has more digits than the
 * result's precision.
 */
final class DecimalLowering {
  private static final BigInteger LONG_LIMIT = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger WIDE_LIMIT =
      BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);
  private static final int MAX_LONG_DIGITS = 18;
  private static final int UP_B_SHIFT = 8;
  private static final int DOWN_SHIFT = 16;
  private static final int PRECISION_SHIFT = 24;

  private final Lowering lowering;
  private final TileBuilder builder;

  DecimalLowering(Lowering lowering) {
    this.lowering = lowering;
    this.builder = lowering.builder();
  }

  /** Returns 10^digits. */
  static BigInteger power(int digits) {
    return BigInteger.TEN.pow(digits);
  }

  /** Returns the largest unscaled value of a type. */
  static BigInteger limit(DecimalType type) {
    return power(type.precision()).subtract(BigInteger.ONE);
  }

  /** Lowers ADD and SUBTRACT. */
  Lowered add(Call call, Lowered a, Lowered b) {
    DecimalType type = (DecimalType) call.type();
    int scale = Math.max(type.scale(), Math.max(a.scale(), b.scale()));
    int upA = scale - a.scale();
    int upB = scale - b.scale();
    BigInteger bound = a.bound().multiply(power(upA)).add(b.bound().multiply(power(upB)));
    FailureSite site = FailureSite.of(call, ExpressionError.DECIMAL_OVERFLOW);
    boolean isSum = call.function() == Function.ADD;
    if (!fitsWide(bound)) {
      int down = scale - type.scale();
      TileOpcode opcode = isSum ? TileOpcode.DECIMAL_ADD : TileOpcode.DECIMAL_SUB;
      return exact(opcode, site, type, a, b, shifts(upA, upB, down, type.precision()));
    }
    TileValue validity = lowering.bothValid(a, b);
    Form form = fitsLong(bound) ? Form.INTEGER : Form.WIDE;
    Operand x = scaledUp(a, upA, form);
    Operand y = scaledUp(b, upB, form);
    Operand sum =
        form == Form.INTEGER
            ? builder.lanes(isSum ? TileOpcode.ADD_I64 : TileOpcode.SUB_I64, x, y)
            : builder.pairs(isSum ? TileOpcode.ADD_I128 : TileOpcode.SUB_I128, x, y);
    DecimalType unrounded = new DecimalType(DecimalType.MAX_PRECISION, scale);
    return rescaled(new Lowered(unrounded, form, sum, validity, bound), type, site);
  }

  /** Lowers MULTIPLY. */
  Lowered multiply(Call call, Lowered a, Lowered b) {
    DecimalType type = (DecimalType) call.type();
    int scale = a.scale() + b.scale();
    BigInteger bound = a.bound().multiply(b.bound());
    FailureSite site = FailureSite.of(call, ExpressionError.DECIMAL_OVERFLOW);
    if (!fitsWide(bound) || scale > DecimalType.MAX_PRECISION) {
      long shifts = shifts(0, 0, scale - type.scale(), type.precision());
      return exact(TileOpcode.DECIMAL_MUL, site, type, a, b, shifts);
    }
    TileValue validity = lowering.bothValid(a, b);
    DecimalType unrounded = new DecimalType(DecimalType.MAX_PRECISION, scale);
    Form form = fitsLong(bound) ? Form.INTEGER : Form.WIDE;
    Operand product = product(form, a, b);
    return rescaled(new Lowered(unrounded, form, product, validity, bound), type, site);
  }

  private Operand product(Form form, Lowered a, Lowered b) {
    if (form == Form.INTEGER) {
      return builder.lanes(TileOpcode.MUL_I64, a.value(), b.value());
    }
    if (a.form() == Form.INTEGER && b.form() == Form.INTEGER) {
      Operand x = builder.onlyOneConstant(a.value(), b.value(), Kind.LANE);
      return Operand.of(builder.value(Kind.PAIR, Action.of(TileOpcode.MUL_WIDE_I64, x, b.value())));
    }
    return builder.pairs(TileOpcode.MUL_I128, lowering.wide(a), lowering.wide(b));
  }

  /** Lowers DIVIDE. */
  Lowered divide(Call call, Lowered a, Lowered b) {
    DecimalType type = (DecimalType) call.type();
    int up = type.scale() - a.scale() + b.scale();
    FailureSite overflow = FailureSite.of(call, ExpressionError.DECIMAL_OVERFLOW);
    FailureSite byZero = FailureSite.of(call, ExpressionError.DIVIDE_BY_ZERO);
    long shifts = shifts(Math.max(up, 0), 0, Math.max(-up, 0), type.precision());
    Lowered quotient = exact(TileOpcode.DECIMAL_DIV, overflow, type, a, b, shifts);
    return lowering.failing(quotient, isZero(b), byZero);
  }

  /** Lowers REMAINDER. */
  Lowered remainder(Call call, Lowered a, Lowered b) {
    DecimalType type = (DecimalType) call.type();
    int scale = Math.max(a.scale(), b.scale());
    FailureSite overflow = FailureSite.of(call, ExpressionError.DECIMAL_OVERFLOW);
    FailureSite byZero = FailureSite.of(call, ExpressionError.DIVIDE_BY_ZERO);
    long shifts = shifts(scale - a.scale(), scale - b.scale(), 0, type.precision());
    Lowered remainder = exact(TileOpcode.DECIMAL_REM, overflow, type, a, b, shifts);
    return lowering.failing(remainder, isZero(b), byZero);
  }

  /** Lowers NEGATE and ABS, which cannot overflow. */
  Lowered unary(Call call, TileOpcode narrow, TileOpcode wide, Lowered a) {
    boolean isLong = a.form() == Form.INTEGER && fitsLong(a.bound());
    Form form = isLong ? Form.INTEGER : Form.WIDE;
    Operand value =
        isLong ? builder.lane(narrow, a.value(), 0) : builder.pair(wide, lowering.wide(a), 0);
    return new Lowered(call.type(), form, value, a.validity(), a.bound());
  }

  /** Rounds and checks a decimal to a type: Spark's {@code Decimal.toPrecision}. */
  Lowered rescaled(Lowered a, DecimalType type, FailureSite site) {
    int up = type.scale() - a.scale();
    BigInteger bound =
        up >= 0 ? a.bound().multiply(power(up)) : a.bound().divide(power(-up)).add(BigInteger.ONE);
    if (!fitsWide(bound)) {
      return exact(
          TileOpcode.DECIMAL_RESCALE, site, type, a, null, shifts(up, 0, 0, type.precision()));
    }
    Lowered result;
    if (up >= 0) {
      Form form = a.form() == Form.INTEGER && fitsLong(bound) ? Form.INTEGER : Form.WIDE;
      result = new Lowered(type, form, scaledUp(a, up, form), a.validity(), bound);
    } else {
      Lowered source = -up > MAX_LONG_DIGITS ? lowering.widened(a) : a;
      Operand value = scaledDown(source, -up);
      result = new Lowered(type, source.form(), value, a.validity(), bound);
    }
    return checked(result, type, site);
  }

  /**
   * Returns the decimal nearest to what {@code Double.toString} shows of a double or float; null
   * where it is not a number or infinite.
   */
  Lowered ofDouble(Lowered a, DecimalType type, FailureSite site) {
    Operand lane = Operand.of(builder.lane(a.value()));
    long rounding = DigitRounding.toDecimal(type.precision(), type.scale());
    TileOperation operation =
        builder.withOverflow(
            Kind.PAIR, new Action(TileOpcode.F64_TO_DECIMAL, lane, null, null, 0, 0, rounding));
    Operand absolute = builder.lane(TileOpcode.ABS_F64, lane, 0);
    TileValue isFinite =
        builder.compare(
            TileOpcode.LT_F64, Kind.LANE, absolute, Operand.of(Double.POSITIVE_INFINITY));
    TileValue validity = builder.and(a.validity(), isFinite);
    Operand value = Operand.of(operation.result());
    Lowered result = new Lowered(type, Form.WIDE, value, validity, limit(type));
    return narrowed(lowering.failing(result, operation.overflow(), site));
  }

  /** Fails where a value has more digits than its type; brings short decimals back to 64 bits. */
  Lowered checked(Lowered a, DecimalType type, FailureSite site) {
    Lowered result = a;
    if (a.bound().compareTo(limit(type)) > 0) {
      boolean isLane = a.form() == Form.INTEGER;
      TileOpcode test =
          isLane ? TileOpcode.EXCEEDS_PRECISION_I64 : TileOpcode.EXCEEDS_PRECISION_I128;
      TileValue register = isLane ? builder.lane(a.value()) : builder.pair(a.value());
      TileValue exceeds = builder.test(test, register, type.precision());
      result = lowering.failing(a, exceeds, site);
    }
    BigInteger bound = result.bound().min(limit(type));
    result = new Lowered(type, result.form(), result.value(), result.validity(), bound);
    return narrowed(result);
  }

  /** Returns 64 bits where the type has at most 18 digits. */
  private Lowered narrowed(Lowered a) {
    DecimalType type = (DecimalType) a.type();
    if (a.form() != Form.WIDE || type.precision() > MAX_LONG_DIGITS) {
      return a;
    }
    return new Lowered(type, Form.INTEGER, lowHalf(a.value()), a.validity(), a.bound());
  }

  /** Returns the low 64 bits of a wide value. */
  Operand lowHalf(Operand wide) {
    Operand pair = Operand.of(builder.pair(wide));
    TileOperation narrow =
        builder.withOverflow(Kind.LANE, Action.of(TileOpcode.NARROW_I128, pair, 0));
    return Operand.of(narrow.result());
  }

  /** Returns the rows whose low 64 bits are not the whole value. */
  TileValue exceedsLong(Operand wide) {
    Operand pair = Operand.of(builder.pair(wide));
    return builder.withOverflow(Kind.LANE, Action.of(TileOpcode.NARROW_I128, pair, 0)).overflow();
  }

  /** Returns rows that are zero. */
  TileValue isZero(Lowered a) {
    return a.form() == Form.INTEGER
        ? builder.compare(TileOpcode.EQ_I64, Kind.LANE, a.value(), Operand.of(0L))
        : builder.compare(TileOpcode.EQ_I128, Kind.PAIR, a.value(), Operand.of(0L));
  }

  /** Multiplies a value by a power of ten; the product must fit 128 bits. */
  Lowered scaledUp(Lowered a, int digits) {
    BigInteger bound = a.bound().multiply(power(digits));
    Form form = a.form() == Form.INTEGER && fitsLong(bound) ? Form.INTEGER : Form.WIDE;
    return new Lowered(a.type(), form, scaledUp(a, digits, form), a.validity(), bound);
  }

  private Operand scaledUp(Lowered a, int digits, Form form) {
    Operand value = form == Form.WIDE ? lowering.wide(a) : a.value();
    if (digits == 0) {
      return value;
    }
    if (value.isConstant()) {
      return Operand.of(value.constant().multiply(power(digits)));
    }
    Operand factor = Operand.of(power(digits));
    return form == Form.INTEGER
        ? builder.lanes(TileOpcode.MUL_I64, value, factor)
        : builder.pairs(TileOpcode.MUL_I128, value, factor);
  }

  private Operand scaledDown(Lowered a, int digits) {
    return a.form() == Form.INTEGER
        ? builder.lane(TileOpcode.DIV_POW10_HALF_UP_I64, a.value(), digits)
        : builder.pair(TileOpcode.DIV_POW10_HALF_UP_I128, a.value(), digits);
  }

  private Lowered exact(
      TileOpcode opcode, FailureSite site, DecimalType type, Lowered a, Lowered b, long shifts) {
    Operand x = Operand.of(builder.pair(lowering.wide(a)));
    Operand y = b == null ? null : Operand.of(builder.pair(lowering.wide(b)));
    TileOperation operation =
        builder.withOverflow(Kind.PAIR, new Action(opcode, x, y, null, 0, 0, shifts));
    TileValue validity = b == null ? a.validity() : lowering.bothValid(a, b);
    Operand value = Operand.of(operation.result());
    Lowered result = new Lowered(type, Form.WIDE, value, validity, limit(type));
    return narrowed(lowering.failing(result, operation.overflow(), site));
  }

  private static long shifts(int upA, int upB, int down, int precision) {
    if (upA < 0 || upB < 0 || down < 0) {
      throw new IllegalArgumentException("scales out of range: " + upA + ", " + upB + ", " + down);
    }
    return upA
        | (long) upB << UP_B_SHIFT
        | (long) down << DOWN_SHIFT
        | (long) precision << PRECISION_SHIFT;
  }

  static boolean fitsLong(BigInteger bound) {
    return bound.compareTo(LONG_LIMIT) <= 0;
  }

  private static boolean fitsWide(BigInteger bound) {
    return bound.compareTo(WIDE_LIMIT) <= 0;
  }
}
