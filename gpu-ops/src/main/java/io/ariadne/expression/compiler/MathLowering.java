package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import java.util.ArrayList;
import java.util.List;

/** Lowers functions of numbers beyond arithmetic. Semantics: Spark's classes of the same names. */
final class MathLowering {
  private static final int MAX_FACTORIAL = 20;

  private final Lowering lowering;
  private final TileBuilder builder;
  private final LaneArithmetic lanes;
  private final FloatLowering floats;

  MathLowering(Lowering lowering, FloatLowering floats) {
    this.lowering = lowering;
    this.builder = lowering.builder();
    this.lanes = new LaneArithmetic(builder);
    this.floats = floats;
  }

  /** Lowers POSITIVE_MODULO; the divisor is checked first. */
  Lowered positiveModulo(Call call, Lowered a, Lowered b) {
    boolean isDouble = a.form() == Form.DOUBLE;
    Operand first = remainder(isDouble, a.value(), b.value());
    Operand sum;
    TileValue isNegative;
    if (isDouble) {
      sum = floats.rounded(call.type(), sum(TileOpcode.ADD_F64, first, b), null).value();
      isNegative = builder.compare(TileOpcode.LT_F64, Kind.LANE, first, Operand.of(0.0));
    } else {
      Operand exact = sum(TileOpcode.ADD_I64, first, b);
      sum = call.type() == PrimitiveType.INT32 ? lanes.toInt(exact) : exact;
      isNegative = lanes.compare(TileOpcode.LT_I64, first, 0);
    }
    Operand result = lanes.select(isNegative, remainder(isDouble, sum, b.value()), first);
    TileValue validity = lowering.bothValid(a, b);
    TileValue isZero =
        isDouble
            ? builder.compare(TileOpcode.EQ_F64, Kind.LANE, b.value(), Operand.of(0.0))
            : lanes.compare(TileOpcode.EQ_I64, b.value(), 0);
    return lowering.failing(
        Lowered.of(call.type(), a.form(), result, validity),
        isZero,
        FailureSite.of(call, ExpressionError.DIVIDE_BY_ZERO));
  }

  private Operand sum(TileOpcode opcode, Operand first, Lowered b) {
    return builder.lanes(opcode, first, b.value());
  }

  private Operand remainder(boolean isDouble, Operand a, Operand b) {
    return builder.lanes(isDouble ? TileOpcode.REM_F64 : TileOpcode.REM_I64, a, b);
  }

  /** Lowers SIGNUM: zeros and NaN stay as they are. */
  Lowered signum(Call call, Lowered a) {
    Operand number =
        a.form() == Form.DOUBLE ? a.value() : builder.lane(TileOpcode.I64_TO_F64, a.value(), 0);
    Operand zero = Operand.of(0.0);
    TileValue isNegative = builder.compare(TileOpcode.LT_F64, Kind.LANE, number, zero);
    TileValue stays =
        builder.or(
            builder.compare(TileOpcode.EQ_F64, Kind.LANE, number, zero),
            builder.compare(TileOpcode.EQ_F64, Kind.LANE, number, Operand.of(Double.NaN)));
    Operand sign = lanes.select(isNegative, Operand.of(-1.0), Operand.of(1.0));
    return Lowered.of(call.type(), Form.DOUBLE, lanes.select(stays, number, sign), a.validity());
  }

  /** Lowers a multiplication by a constant. */
  Lowered times(Call call, Lowered a, double factor) {
    Operand product = builder.lanes(TileOpcode.MUL_F64, a.value(), Operand.of(factor));
    return Lowered.of(call.type(), Form.DOUBLE, product, a.validity());
  }

  /** Lowers FACTORIAL. */
  Lowered factorial(Call call, Lowered a) {
    List<StepTable.Step> steps = new ArrayList<>();
    long product = 1;
    for (int n = 0; n <= MAX_FACTORIAL; n++) {
      product *= Math.max(1, n);
      steps.add(new StepTable.Step(n, product));
    }
    TileValue isOutside =
        builder.or(
            lanes.compare(TileOpcode.LT_I64, a.value(), 0),
            lanes.compare(TileOpcode.GT_I64, a.value(), MAX_FACTORIAL));
    Operand value = builder.stepValue(a.value(), StepTable.of(steps));
    return Lowered.of(call.type(), Form.INTEGER, value, builder.andNot(a.validity(), isOutside));
  }

  /** Lowers BIT_COUNT. */
  Lowered bitCount(Call call, Lowered a) {
    Operand count =
        a.form() == Form.MASK
            ? lanes.oneWhere(a.maskValue())
            : builder.lane(TileOpcode.BIT_COUNT_I64, a.value(), 0);
    return Lowered.of(call.type(), Form.INTEGER, count, a.validity());
  }

  /** Lowers BIT_GET. */
  Lowered bitGet(Call call, Lowered a, Lowered b) {
    Operand shifted = builder.lanes(TileOpcode.SHR_I64, a.value(), b.value());
    Operand bit = builder.lanes(TileOpcode.AND_I64, shifted, Operand.of(1L));
    TileValue isOutside =
        builder.or(
            lanes.compare(TileOpcode.LT_I64, b.value(), 0),
            lanes.compare(TileOpcode.GE_I64, b.value(), IntegerLowering.width(a.type())));
    return lowering.failing(
        Lowered.of(call.type(), Form.INTEGER, bit, lowering.bothValid(a, b)),
        isOutside,
        FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW));
  }
}
