package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;

/**
 * Floating-point arithmetic in doubles; floats are rounded after every operation, which is exact
 * for the four basic ones.
 *
 * <p>Source: S. Figueroa, "When is double rounding innocuous?", ACM SIGNUM Newsletter 30(3), 1995.
 */
final class FloatLowering {
  private final Lowering lowering;
  private final TileBuilder builder;

  FloatLowering(Lowering lowering) {
    this.lowering = lowering;
    this.builder = lowering.builder();
  }

  /** Lowers ADD, SUBTRACT, MULTIPLY. */
  Lowered arithmetic(Call call, TileOpcode opcode, Lowered a, Lowered b) {
    Operand exact = builder.lanes(opcode, a.value(), b.value());
    return rounded(call.type(), exact, lowering.bothValid(a, b));
  }

  /** Lowers DIVIDE and REMAINDER, whose divisor may not be zero. */
  Lowered divide(Call call, TileOpcode opcode, Lowered a, Lowered b) {
    Lowered result = arithmetic(call, opcode, a, b);
    if (b.value().isConstant() && b.value().constant().longValue() << 1 != 0) {
      return result;
    }
    TileValue zero = builder.compare(TileOpcode.EQ_F64, Kind.LANE, b.value(), Operand.of(0.0));
    return lowering.failing(result, zero, FailureSite.of(call, ExpressionError.DIVIDE_BY_ZERO));
  }

  /** Lowers an operation of one operand whose result needs no rounding. */
  Lowered unary(DataType type, TileOpcode opcode, Lowered a) {
    return Lowered.of(type, Form.DOUBLE, builder.lane(opcode, a.value(), 0), a.validity());
  }

  /** Returns rows that are NaN. */
  TileValue isNan(Lowered a) {
    return builder.compare(TileOpcode.EQ_F64, Kind.LANE, a.value(), Operand.of(Double.NaN));
  }

  /** Returns what {@code F64_TO_KEY} makes of a double once it is normalised. */
  static long orderKey(double value) {
    long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
    return bits ^ (bits >> (Long.SIZE - 1) & Long.MAX_VALUE);
  }

  /** Rounds to the type. */
  Lowered rounded(DataType type, Operand exact, TileValue validity) {
    Operand value =
        type == PrimitiveType.FLOAT32 ? builder.lane(TileOpcode.ROUND_F32, exact, 0) : exact;
    return Lowered.of(type, Form.DOUBLE, value, validity);
  }
}
