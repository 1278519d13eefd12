package io.ariadne.expression.compiler;

import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.tile.EntryFunction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the operations of a program over virtual registers.
 *
 * <p>A repeated action is executed once (common subexpressions), and mask operations with constant
 * operands are folded. A null mask, as an argument or a result, means all rows.
 */
final class TileBuilder {
  private final List<TileOperation> operations = new ArrayList<>();
  private final Map<Action, TileOperation> known = new HashMap<>();

  /** Returns the operations that sinks depend on, in order. */
  List<TileOperation> liveOperations() {
    return TileRewrite.live(operations);
  }

  /** Adds an action with a result of a kind. */
  TileValue value(Kind kind, Action action) {
    return operation(kind, action, false).result();
  }

  /** Adds an action that also yields an overflow mask. */
  TileOperation withOverflow(Kind kind, Action action) {
    return operation(kind, action, true);
  }

  /** Adds an action with an effect. */
  void sink(Action action) {
    operations.add(new TileOperation(action, null, null));
  }

  /** Reads a column. */
  TileValue load(TileOpcode opcode, Kind kind, int column) {
    return value(kind, new Action(opcode, null, null, null, column, 0, 0));
  }

  /** Reads the values of a dictionary column. */
  TileValue loadCoded(TileOpcode opcode, Kind kind, int column) {
    return value(kind, new Action(opcode, null, null, null, column, 0, TileOperation.CODED));
  }

  /** Reads the results of a function of the entries of a dictionary column. */
  TileValue loadCoded(TileOpcode opcode, Kind kind, int column, EntryFunction function) {
    return value(
        kind, new Action(opcode, null, null, null, column, 0, TileOperation.CODED, function));
  }

  /** Adds an operation of views and a lane that reads the characters, with a lane result. */
  TileValue ofCharacters(TileOpcode opcode, Operand views, Operand b, int column, boolean isCoded) {
    long coded = isCoded ? TileOperation.CODED : 0;
    return value(Kind.LANE, new Action(opcode, views, b, null, column, 0, coded));
  }

  /**
   * Adds an operation of strings that reads their characters.
   *
   * @param kind of the result
   * @param a the first string
   * @param b the second string; null for an operation of one string
   * @param mask a third operand, or null
   */
  TileValue ofCharacters(TileOpcode opcode, Kind kind, Text a, Text b, TileValue mask) {
    long coded = a.isCoded() ? TileOperation.CODED : 0;
    coded |= b != null && b.isCoded() ? TileOperation.B_CODED : 0;
    Operand second = b == null ? null : b.value();
    int column = b == null ? 0 : b.column();
    return value(kind, new Action(opcode, a.value(), second, mask, a.column(), column, coded));
  }

  /** Adds an operation of two lane operands, either of which may be a constant. */
  Operand lanes(TileOpcode opcode, Operand a, Operand b) {
    return Operand.of(value(Kind.LANE, Action.of(opcode, onlyOneConstant(a, b, Kind.LANE), b)));
  }

  /** Adds an operation of two 128-bit operands, either of which may be a constant. */
  Operand pairs(TileOpcode opcode, Operand a, Operand b) {
    return Operand.of(value(Kind.PAIR, Action.of(opcode, onlyOneConstant(a, b, Kind.PAIR), b)));
  }

  /** Adds a comparison of two operands of a kind. */
  TileValue compare(TileOpcode opcode, Kind operands, Operand a, Operand b) {
    return value(Kind.MASK, Action.of(opcode, onlyOneConstant(a, b, operands), b));
  }

  /** Adds an operation of two operands of a kind, either of which may be a constant. */
  Operand value(Kind kind, TileOpcode opcode, Operand a, Operand b) {
    return kind == Kind.LANE ? lanes(opcode, a, b) : pairs(opcode, a, b);
  }

  /** Adds a step function of a lane. */
  Operand stepValue(Operand a, StepTable table) {
    Operand steps = Operand.ofBytes(table.bytes());
    return Operand.of(
        value(Kind.LANE, Action.of(TileOpcode.STEP_VALUE, Operand.of(lane(a)), steps)));
  }

  /** Adds an operation of a lane. */
  Operand lane(TileOpcode opcode, Operand a, long imm) {
    return Operand.of(value(Kind.LANE, Action.of(opcode, Operand.of(lane(a)), imm)));
  }

  /** Adds an operation of a pair with a 128-bit result. */
  Operand pair(TileOpcode opcode, Operand a, long imm) {
    return Operand.of(value(Kind.PAIR, Action.of(opcode, Operand.of(pair(a)), imm)));
  }

  /** Adds an operation of a lane or pair that yields a mask. */
  TileValue test(TileOpcode opcode, TileValue a, long imm) {
    return value(Kind.MASK, Action.of(opcode, Operand.of(a), imm));
  }

  /** Returns a lane register that contains an operand. */
  TileValue lane(Operand operand) {
    return register(operand, Kind.LANE);
  }

  /** Returns a pair of registers that contains an operand. */
  TileValue pair(Operand operand) {
    return register(operand, Kind.PAIR);
  }

  private TileValue register(Operand operand, Kind kind) {
    if (!operand.isConstant()) {
      return operand.register();
    }
    // the kind distinguishes a lane from a pair with the same number
    return value(kind, Action.of(TileOpcode.CONST_I64, operand, kind.ordinal()));
  }

  Operand onlyOneConstant(Operand a, Operand b, Kind kind) {
    return a.isConstant() && b.isConstant() ? Operand.of(register(a, kind)) : a;
  }

  /** Returns a mask of all rows or of none. */
  TileValue constantMask(boolean value) {
    Operand bit = Operand.of(BigInteger.valueOf(value ? 1 : 0));
    return value(Kind.MASK, Action.of(TileOpcode.CONST_MASK, bit, 0));
  }

  private boolean isConstantMask(TileValue mask, boolean value) {
    Operand bit = Operand.of(BigInteger.valueOf(value ? 1 : 0));
    TileOperation constant = known.get(Action.of(TileOpcode.CONST_MASK, bit, 0));
    return constant != null && constant.result() == mask;
  }

  private boolean isAll(TileValue mask) {
    return mask == null || isConstantMask(mask, true);
  }

  /** Returns rows of both masks. */
  TileValue and(TileValue a, TileValue b) {
    if (isAll(a) || a == b || isConstantMask(b, false)) {
      return b;
    }
    if (isAll(b) || isConstantMask(a, false)) {
      return a;
    }
    return masks(TileOpcode.MASK_AND, a, b);
  }

  /** Returns rows of either mask. */
  TileValue or(TileValue a, TileValue b) {
    if (isAll(a) || a == b || isConstantMask(b, false)) {
      return a;
    }
    return isAll(b) || isConstantMask(a, false) ? b : masks(TileOpcode.MASK_OR, a, b);
  }

  /** Returns rows of the first mask that are not of the second. */
  TileValue andNot(TileValue a, TileValue b) {
    if (isConstantMask(b, false) || isConstantMask(a, false)) {
      return a;
    }
    if (isAll(b)) {
      return constantMask(false);
    }
    return isAll(a) ? not(b) : masks(TileOpcode.MASK_ANDNOT, a, b);
  }

  /** Returns the rows that are not in a mask. */
  TileValue not(TileValue a) {
    if (isAll(a) || isConstantMask(a, false)) {
      return constantMask(!isAll(a));
    }
    return value(Kind.MASK, Action.of(TileOpcode.MASK_NOT, Operand.of(a), null));
  }

  /** Returns rows of exactly one mask. */
  TileValue xor(TileValue a, TileValue b) {
    return masks(TileOpcode.MASK_XOR, orAll(a), orAll(b));
  }

  /** Returns rows of {@code a} where {@code condition}, else of {@code b}. */
  TileValue select(TileValue condition, TileValue a, TileValue b) {
    if (isAll(condition) || a == b) {
      return a;
    }
    if (isAll(a)) {
      return or(condition, b);
    }
    if (isAll(b)) {
      return or(a, not(condition));
    }
    if (isConstantMask(b, false)) {
      return and(condition, a);
    }
    if (isConstantMask(a, false)) {
      return andNot(b, condition);
    }
    Operand x = Operand.of(a);
    return value(
        Kind.MASK, new Action(TileOpcode.MASK_SELECT, x, Operand.of(b), condition, 0, 0, 0));
  }

  /** Returns a lane or pair of {@code a} where {@code condition}, else of {@code b}. */
  Operand select(Kind kind, TileValue condition, Operand a, Operand b) {
    if (isAll(condition) || a.equals(b)) {
      return a;
    }
    Operand x = onlyOneConstant(a, b, kind);
    return Operand.of(value(kind, new Action(TileOpcode.SELECT, x, b, condition, 0, 0, 0)));
  }

  /** Returns a register for a mask that may be null. */
  TileValue orAll(TileValue mask) {
    return mask == null ? constantMask(true) : mask;
  }

  /** Returns null for a mask of all rows. */
  TileValue orNull(TileValue mask) {
    return isAll(mask) ? null : mask;
  }

  /** Returns whether a mask is known to have no rows. */
  boolean isNone(TileValue mask) {
    return mask != null && isConstantMask(mask, false);
  }

  private TileValue masks(TileOpcode opcode, TileValue a, TileValue b) {
    return value(Kind.MASK, Action.of(opcode, Operand.of(a), Operand.of(b)));
  }

  private TileOperation operation(Kind kind, Action action, boolean hasOverflow) {
    TileOperation operation = known.get(action);
    if (operation == null) {
      TileValue overflow = hasOverflow ? new TileValue(Kind.MASK) : null;
      operation = new TileOperation(action, new TileValue(kind), overflow);
      known.put(action, operation);
      operations.add(operation);
    }
    return operation;
  }
}
