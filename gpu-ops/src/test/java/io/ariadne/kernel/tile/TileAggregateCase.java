package io.ariadne.kernel.tile;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.TileOpcode;
import java.math.BigInteger;

/** One aggregate of a test: its instruction, its accumulator and its expected values. */
final class TileAggregateCase {
  private static final BigInteger MAX_WIDE = BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);

  final TileOpcode opcode;
  final int slotBytes;
  final int offset;
  final int stride;
  private final BigInteger[] expected;

  TileAggregateCase(TileOpcode opcode, int offset, int stride, int groups) {
    this.opcode = opcode;
    this.offset = offset;
    this.stride = stride;
    this.slotBytes = slotBytes(opcode);
    this.expected = new BigInteger[groups];
    for (int g = 0; g < groups; g++) {
      expected[g] = initial();
    }
  }

  static int slotBytes(TileOpcode opcode) {
    return switch (opcode) {
      case AGG_COUNT, AGG_MIN_I64, AGG_MAX_I64, AGG_AND_I64, AGG_OR_I64, AGG_XOR_I64 -> 8;
      case AGG_SUM_I64 -> 16;
      default -> 32;
    };
  }

  private int words() {
    return switch (opcode) {
      case AGG_COUNT, AGG_MIN_I64, AGG_MAX_I64, AGG_AND_I64, AGG_OR_I64, AGG_XOR_I64 -> 1;
      case AGG_SUM_I128, AGG_SUM_I192 -> 3;
      default -> 2;
    };
  }

  private BigInteger initial() {
    return switch (opcode) {
      case AGG_MIN_I64 -> BigInteger.valueOf(Long.MAX_VALUE);
      case AGG_MAX_I64 -> BigInteger.valueOf(Long.MIN_VALUE);
      case AGG_MIN_I128 -> MAX_WIDE;
      case AGG_AND_I64 -> BigInteger.ONE.negate();
      case AGG_MAX_I128 -> MAX_WIDE.not();
      default -> BigInteger.ZERO;
    };
  }

  /** Writes the accumulators of no rows. */
  void initialize(MemoryBuffer accumulators) {
    for (int g = 0; g < expected.length; g++) {
      long at = offset + (long) g * stride;
      for (int word = 0; word < words(); word++) {
        accumulators.putLong(at + 8L * word, initial().shiftRight(Long.SIZE * word).longValue());
      }
    }
  }

  /** Adds a row to the expected value. */
  void accept(int group, long value, BigInteger wide) {
    BigInteger current = expected[group];
    expected[group] =
        switch (opcode) {
          case AGG_COUNT -> current.add(BigInteger.ONE);
          case AGG_SUM_I64 -> current.add(BigInteger.valueOf(value));
          case AGG_SUM_I128, AGG_SUM_I192 -> current.add(wide);
          case AGG_MIN_I64 -> current.min(BigInteger.valueOf(value));
          case AGG_MAX_I64 -> current.max(BigInteger.valueOf(value));
          case AGG_AND_I64 -> current.and(BigInteger.valueOf(value));
          case AGG_OR_I64 -> current.or(BigInteger.valueOf(value));
          case AGG_XOR_I64 -> current.xor(BigInteger.valueOf(value));
          case AGG_MIN_I128 -> current.min(wide);
          case AGG_MAX_I128 -> current.max(wide);
          default -> throw new IllegalArgumentException(opcode.toString());
        };
  }

  BigInteger expected(int group) {
    return expected[group];
  }

  BigInteger actual(MemoryBuffer accumulators, int group) {
    return TileRun.wide(accumulators, offset + (long) group * stride, words());
  }
}
