package io.ariadne.expression.compiler;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The operand of an operation: a register or a constant.
 *
 * @param register the register, or null for a constant
 * @param constant the constant (for doubles the bits as a signed 64-bit integer), or null for a
 *     register
 */
record Operand(TileValue register, BigInteger constant) {
  Operand {
    if ((register == null) == (constant == null)) {
      throw new IllegalArgumentException("an operand is either a register or a constant");
    }
  }

  static Operand of(TileValue register) {
    return new Operand(Objects.requireNonNull(register, "register is null"), null);
  }

  static Operand of(long constant) {
    return new Operand(null, BigInteger.valueOf(constant));
  }

  static Operand of(BigInteger constant) {
    return new Operand(null, constant);
  }

  static Operand of(double constant) {
    return of(Double.doubleToRawLongBits(constant));
  }

  /** Returns a constant string; {@link #bytes} returns its bytes. */
  static Operand ofBytes(byte[] bytes) {
    // starts with a byte of 1: otherwise the number would lose leading zeros or be negative
    ByteBuffer guarded = ByteBuffer.allocate(bytes.length + 1).put((byte) 1).put(bytes);
    return new Operand(null, new BigInteger(guarded.array()));
  }

  /** Returns the bytes of {@link #ofBytes}. */
  byte[] bytes() {
    byte[] guarded = constant.toByteArray();
    return Arrays.copyOfRange(guarded, 1, guarded.length);
  }

  boolean isConstant() {
    return constant != null;
  }
}
