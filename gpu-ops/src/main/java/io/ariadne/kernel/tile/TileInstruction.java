package io.ariadne.kernel.tile;

import io.ariadne.kernel.abi.TileOpcode;

/**
 * One instruction with its registers assigned; fields as in the kernels' {@code tile_instruction}.
 *
 * @param opcode what it does
 * @param dst destination register or output column
 * @param a first operand: register or input column
 * @param b second operand register
 * @param mask mask operand, or the register that receives the overflow
 * @param flags which operands are the constant {@code imm}
 * @param aux expression number or accumulator stride
 * @param imm constant, scale, error code or accumulator offset
 */
public record TileInstruction(
    TileOpcode opcode, int dst, int a, int b, int mask, int flags, int aux, long imm) {
  /** The register number of a missing operand. */
  public static final int NO_REGISTER = 255;

  @Override
  public String toString() {
    return opcode + " dst=" + dst + " a=" + a + " b=" + b + " mask=" + mask + " flags=" + flags
        + " aux=" + aux + " imm=" + imm;
  }
}
