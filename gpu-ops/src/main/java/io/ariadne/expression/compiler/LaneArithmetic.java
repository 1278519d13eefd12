package io.ariadne.expression.compiler;

import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;

/** Arithmetic on lanes of 64-bit integers, for lowerings that compose many small steps. */
final class LaneArithmetic {
  private final TileBuilder builder;

  LaneArithmetic(TileBuilder builder) {
    this.builder = builder;
  }

  Operand add(Operand a, Operand b) {
    return builder.lanes(TileOpcode.ADD_I64, a, b);
  }

  Operand add(Operand a, long b) {
    return b == 0 ? a : add(a, Operand.of(b));
  }

  Operand subtract(Operand a, Operand b) {
    return builder.lanes(TileOpcode.SUB_I64, a, b);
  }

  Operand subtract(long a, Operand b) {
    return subtract(Operand.of(a), b);
  }

  Operand multiply(Operand a, long b) {
    return b == 1 ? a : builder.lanes(TileOpcode.MUL_I64, a, Operand.of(b));
  }

  /** Returns the low 32 bits, sign-extended: Java's int. */
  Operand toInt(Operand a) {
    return builder.lane(TileOpcode.NARROW_I64, a, Integer.SIZE);
  }

  /**
   * Returns {@code a / divisor} towards minus infinity, for |a| below 2^53 and a divisor above 0.
   */
  Operand floorDivide(Operand a, long divisor) {
    if (divisor == 1) {
      return a;
    }
    // doubles are exact enough: a quotient that is not an integer is at least 1/divisor away from
    // one
    Operand quotient =
        builder.lanes(
            TileOpcode.DIV_F64,
            builder.lane(TileOpcode.I64_TO_F64, a, 0),
            Operand.of((double) divisor));
    return builder.lane(TileOpcode.F64_TO_I64, builder.lane(TileOpcode.FLOOR_F64, quotient, 0), 0);
  }

  /** Returns the remainder of {@link #floorDivide}: 0 to divisor - 1. */
  Operand floorModulo(Operand a, long divisor) {
    return subtract(a, multiply(floorDivide(a, divisor), divisor));
  }

  /** Returns {@code a} on the rows of a mask, else {@code b}. */
  Operand select(TileValue condition, Operand a, Operand b) {
    return builder.select(Kind.LANE, condition, a, b);
  }

  TileValue compare(TileOpcode opcode, Operand a, Operand b) {
    return builder.compare(opcode, Kind.LANE, a, b);
  }

  TileValue compare(TileOpcode opcode, Operand a, long b) {
    return compare(opcode, a, Operand.of(b));
  }

  /** Returns 1 on the rows of a mask, else 0. */
  Operand oneWhere(TileValue mask) {
    return Operand.of(
        builder.value(
            Kind.LANE, TileOperation.Action.of(TileOpcode.MASK_TO_I64, Operand.of(mask), 0)));
  }

  Operand lesser(Operand a, Operand b) {
    return select(compare(TileOpcode.LT_I64, a, b), a, b);
  }
}
