package io.ariadne.kernel.tile;

import io.ariadne.kernel.abi.TileFlag;
import io.ariadne.kernel.abi.TileOpcode;

/** An instruction being written in a test: all fields 0 and no mask until said otherwise. */
final class TileCode {
  final TileOpcode opcode;
  int dst;
  int a;
  int b;
  int mask = TileInstruction.NO_REGISTER;
  int flags;
  int aux;
  long imm;

  private TileCode(TileOpcode opcode) {
    this.opcode = opcode;
  }

  static TileCode code(TileOpcode opcode) {
    return new TileCode(opcode);
  }

  TileCode dst(int register) {
    dst = register;
    return this;
  }

  TileCode a(int register) {
    a = register;
    return this;
  }

  TileCode b(int register) {
    b = register;
    return this;
  }

  TileCode mask(int register) {
    mask = register;
    return this;
  }

  TileCode aux(int value) {
    aux = value;
    return this;
  }

  TileCode imm(long value) {
    imm = value;
    return this;
  }

  TileCode constantA(long value) {
    flags = TileFlag.TILE_A_CONSTANT;
    return imm(value);
  }

  TileCode constantB(long value) {
    flags = TileFlag.TILE_B_CONSTANT;
    return imm(value);
  }

  TileInstruction build() {
    return new TileInstruction(opcode, dst, a, b, mask, flags, aux, imm);
  }
}
