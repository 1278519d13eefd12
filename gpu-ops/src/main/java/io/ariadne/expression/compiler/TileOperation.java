package io.ariadne.expression.compiler;

import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.tile.EntryFunction;
import java.util.ArrayList;
import java.util.List;

/**
 * An operation over virtual registers.
 *
 * @param action what it does
 * @param result the register it writes, or null
 * @param overflow the mask register that receives overflows, or null
 */
record TileOperation(Action action, TileValue result, TileValue overflow) {

  /**
   * What an operation does, without its destination: equal actions have equal results.
   *
   * @param opcode the instruction
   * @param a first operand, or null
   * @param b second operand, or null
   * @param mask mask operand, or null
   * @param column column read or written, or 0
   * @param aux expression number or stride; for operations that read characters, the column of the
   *     second operand, or another field of the instruction in its high byte
   * @param imm scale, width, code or offset; {@link #CODED} and {@link #B_CODED} for operations
   *     that read columns; not the constant operand
   * @param function the function of entries that a coded load reads instead of the entries, or null
   */
  record Action(
      TileOpcode opcode,
      Operand a,
      Operand b,
      TileValue mask,
      int column,
      int aux,
      long imm,
      EntryFunction function) {
    Action(TileOpcode opcode, Operand a, Operand b, TileValue mask, int column, int aux, long imm) {
      this(opcode, a, b, mask, column, aux, imm, null);
    }

    static Action of(TileOpcode opcode, Operand a, Operand b) {
      return new Action(opcode, a, b, null, 0, 0, 0);
    }

    static Action of(TileOpcode opcode, Operand a, long imm) {
      return new Action(opcode, a, null, null, 0, 0, imm);
    }
  }

  TileOpcode opcode() {
    return action.opcode();
  }

  /** The bit in imm for operations that read the values of a dictionary column. */
  static final long CODED = 1;

  /** The bit in imm for operations whose second operand is a string of a dictionary column. */
  static final long B_CODED = 2;

  /** Returns whether the operation reads the values of a dictionary column. */
  boolean isCodedLoad() {
    return isLoad() && action.imm() == CODED;
  }

  /** Returns whether the operation reads the characters of strings. */
  boolean readsCharacters() {
    return opcode().name().endsWith("_VIEW");
  }

  /** Returns whether the operation reads characters of two strings. */
  boolean readsTwoTexts() {
    return switch (opcode()) {
      case EQ_VIEW,
          STARTS_VIEW,
          ENDS_VIEW,
          CONTAINS_VIEW,
          LIKE_VIEW,
          COMPARE_VIEW,
          POSITION_VIEW,
          TRIM_VIEW ->
          true;
      default -> false;
    };
  }

  /** Returns whether the operation has an effect besides its registers. */
  boolean isSink() {
    return isStore() || isAggregate() || opcode() == TileOpcode.RAISE || isFilter();
  }

  boolean isFilter() {
    return opcode() == TileOpcode.FILTER;
  }

  boolean isStore() {
    return opcode().name().startsWith("STORE_");
  }

  boolean isAggregate() {
    return opcode().name().startsWith("AGG_");
  }

  boolean isLoad() {
    return opcode().name().startsWith("LOAD_");
  }

  /** Returns whether computing the result again costs almost nothing and needs one input. */
  boolean isRecomputable() {
    return (isLoad() && !isCodedLoad())
        || opcode() == TileOpcode.CONST_I64
        || opcode() == TileOpcode.CONST_MASK;
  }

  /** Returns the registers read, possibly with repetitions. */
  List<TileValue> reads() {
    List<TileValue> reads = new ArrayList<>(3);
    if (action.a() != null && !action.a().isConstant()) {
      reads.add(action.a().register());
    }
    if (action.b() != null && !action.b().isConstant()) {
      reads.add(action.b().register());
    }
    if (action.mask() != null) {
      reads.add(action.mask());
    }
    return reads;
  }

  /** Returns the registers written. */
  List<TileValue> writes() {
    List<TileValue> writes = new ArrayList<>(2);
    if (result != null) {
      writes.add(result);
    }
    if (overflow != null) {
      writes.add(overflow);
    }
    return writes;
  }
}
