package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;

/**
 * Integer arithmetic: computed in 64 bits, narrowed to the type's width.
 *
 * <p>Semantics: Spark's BinaryArithmetic, UnaryMinus, Abs and bitwise expressions; integers wrap as
 * Java's outside ANSI mode.
 */
final class IntegerLowering {
  private static final int LONG_WIDTH = 64;

  private final Lowering lowering;
  private final TileBuilder builder;

  IntegerLowering(Lowering lowering) {
    this.lowering = lowering;
    this.builder = lowering.builder();
  }

  /** Lowers ADD, SUBTRACT and MULTIPLY. */
  Lowered arithmetic(Call call, Lowered a, Lowered b) {
    DataType type = call.type();
    TileValue validity = lowering.bothValid(a, b);
    boolean wraps = call.mode() == EvaluationMode.LEGACY;
    if (width(type) == LONG_WIDTH && !wraps) {
      Operand x = builder.onlyOneConstant(a.value(), b.value(), Kind.LANE);
      TileOperation checked =
          builder.withOverflow(Kind.LANE, Action.of(checked(call), x, b.value()));
      Lowered result = Lowered.of(type, Form.INTEGER, Operand.of(checked.result()), validity);
      return lowering.failing(
          result, checked.overflow(), FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW));
    }
    Operand exact = builder.lanes(wrapping(call), a.value(), b.value());
    return fitted(call, Lowered.of(type, Form.INTEGER, exact, validity));
  }

  /** Lowers NEGATE and ABS. */
  Lowered unary(Call call, TileOpcode opcode, Lowered a) {
    Operand exact = builder.lane(opcode, a.value(), 0);
    Lowered result = Lowered.of(call.type(), Form.INTEGER, exact, a.validity());
    if (width(call.type()) < LONG_WIDTH) {
      return fitted(call, result);
    }
    if (call.mode() == EvaluationMode.LEGACY) {
      return result;
    }
    TileValue overflow = equal(a.value(), Long.MIN_VALUE);
    return lowering.failing(
        result, overflow, FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW));
  }

  /** Lowers INTEGRAL_DIVIDE and REMAINDER. */
  Lowered divide(Call call, TileOpcode opcode, Lowered a, Lowered b) {
    Operand quotient = builder.lanes(opcode, a.value(), b.value());
    TileValue validity = lowering.bothValid(a, b);
    Lowered result = Lowered.of(call.type(), Form.INTEGER, quotient, validity);
    boolean isConstant = b.value().isConstant();
    if (!isConstant || b.value().constant().signum() == 0) {
      result =
          lowering.failing(
              result, equal(b.value(), 0), FailureSite.of(call, ExpressionError.DIVIDE_BY_ZERO));
    }
    boolean mayOverflow =
        opcode == TileOpcode.DIV_I64
            && call.mode() != EvaluationMode.LEGACY
            && (!isConstant || b.value().constant().longValue() == -1);
    if (mayOverflow) {
      TileValue overflow = builder.and(equal(a.value(), Long.MIN_VALUE), equal(b.value(), -1));
      result =
          lowering.failing(
              result, overflow, FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW));
    }
    return result;
  }

  /** Lowers an operation that cannot fail. */
  Lowered total(DataType type, TileOpcode opcode, Lowered a, Lowered b) {
    return Lowered.of(
        type, Form.INTEGER, builder.lanes(opcode, a.value(), b.value()), lowering.bothValid(a, b));
  }

  /** Narrows an exact 64-bit result to a type; fails where it does not fit, unless it wraps. */
  private Lowered fitted(Call call, Lowered exact) {
    return narrowed(
        exact, width(call.type()), FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW));
  }

  /** Narrows to a number of bits; wraps in legacy mode. */
  Lowered narrowed(Lowered exact, int width, FailureSite site) {
    if (width == LONG_WIDTH) {
      return exact;
    }
    Operand narrow = builder.lane(TileOpcode.NARROW_I64, exact.value(), width);
    Lowered result = exact.withValue(narrow);
    if (site.mode() == EvaluationMode.LEGACY) {
      return result;
    }
    Operand full = Operand.of(builder.lane(exact.value()));
    TileValue differs = builder.compare(TileOpcode.NE_I64, Kind.LANE, full, narrow);
    return lowering.failing(result, differs, site);
  }

  TileValue equal(Operand a, long value) {
    return builder.compare(TileOpcode.EQ_I64, Kind.LANE, a, Operand.of(value));
  }

  /** Returns the bits of an integer type. */
  static int width(DataType type) {
    return type.defaultPhysicalType().widthInBytes() * Byte.SIZE;
  }

  private static TileOpcode wrapping(Call call) {
    return switch (call.function()) {
      case ADD -> TileOpcode.ADD_I64;
      case SUBTRACT -> TileOpcode.SUB_I64;
      default -> TileOpcode.MUL_I64;
    };
  }

  private static TileOpcode checked(Call call) {
    return switch (call.function()) {
      case ADD -> TileOpcode.ADD_OVERFLOW_I64;
      case SUBTRACT -> TileOpcode.SUB_OVERFLOW_I64;
      default -> TileOpcode.MUL_OVERFLOW_I64;
    };
  }
}
