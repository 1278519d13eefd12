package io.ariadne.kernel.tile;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.kernel.abi.TileOpcode;

/**
 * The kind of a group's accumulator: its instruction, its size, its initial value and how two are
 * combined.
 */
public enum AccumulatorKind {
  /** Rows: a 64-bit integer. */
  COUNT(TileOpcode.AGG_COUNT, 8),
  /** Sum of 64-bit integers: a 128-bit integer. */
  SUM_I64(TileOpcode.AGG_SUM_I64, 16),
  /** Sum of 128-bit integers: a 192-bit integer in 32 bytes. */
  SUM_I128(TileOpcode.AGG_SUM_I128, 32),
  /** Smallest 64-bit integer. */
  MIN_I64(TileOpcode.AGG_MIN_I64, 8),
  /** Largest 64-bit integer. */
  MAX_I64(TileOpcode.AGG_MAX_I64, 8),
  /** Smallest 128-bit integer, and a lock, in 32 bytes. */
  MIN_I128(TileOpcode.AGG_MIN_I128, 32),
  /** Largest 128-bit integer, and a lock, in 32 bytes. */
  MAX_I128(TileOpcode.AGG_MAX_I128, 32),
  /** Bits that all 64-bit integers have. */
  AND_I64(TileOpcode.AGG_AND_I64, 8),
  /** Bits that any 64-bit integer has. */
  OR_I64(TileOpcode.AGG_OR_I64, 8),
  /** Bits that an odd number of 64-bit integers has. */
  XOR_I64(TileOpcode.AGG_XOR_I64, 8),
  /** Sum of doubles that does not depend on their order: a {@link FloatSum}. */
  SUM_F64(TileOpcode.AGG_SUM_F64, FloatSum.SIZE_IN_BYTES);

  private static final int SUM_I64_WORDS = 2;
  private static final int SUM_I128_WORDS = 3;
  private static final int MAX_ALIGNMENT = 16;

  private final TileOpcode opcode;
  private final int sizeInBytes;

  AccumulatorKind(TileOpcode opcode, int sizeInBytes) {
    this.opcode = opcode;
    this.sizeInBytes = sizeInBytes;
  }

  /** Returns the instruction that updates it. */
  public TileOpcode opcode() {
    return opcode;
  }

  /** Returns the size of the accumulator. */
  public int sizeInBytes() {
    return sizeInBytes;
  }

  /** Returns the alignment it needs, in bytes. */
  public int alignmentInBytes() {
    return Math.min(sizeInBytes, MAX_ALIGNMENT);
  }

  /** Returns whether it takes 128-bit values. */
  public boolean isWide() {
    return this == SUM_I128 || this == MIN_I128 || this == MAX_I128;
  }

  /** Writes the value of a group without rows to host memory. */
  public void initialize(long address) {
    Memory.fill(address, sizeInBytes, (byte) 0);
    switch (this) {
      case AND_I64 -> Memory.putLong(address, -1L);
      case MIN_I64 -> Memory.putLong(address, Long.MAX_VALUE);
      case MAX_I64 -> Memory.putLong(address, Long.MIN_VALUE);
      case MIN_I128 -> {
        Memory.putLong(address, -1L);
        Memory.putLong(address + Long.BYTES, Long.MAX_VALUE);
      }
      case MAX_I128 -> Memory.putLong(address + Long.BYTES, Long.MIN_VALUE);
      default -> {}
    }
  }

  /**
   * Adds an accumulator to another, both in host memory.
   *
   * @param target address of the accumulator that changes
   * @param source address of the accumulator to add
   */
  public void combine(long target, long source) {
    long a = Memory.getLong(target);
    long b = Memory.getLong(source);
    switch (this) {
      case COUNT -> Memory.putLong(target, a + b);
      case SUM_I64 -> addWords(target, source, SUM_I64_WORDS);
      case SUM_I128 -> addWords(target, source, SUM_I128_WORDS);
      case MIN_I64 -> Memory.putLong(target, Math.min(a, b));
      case MAX_I64 -> Memory.putLong(target, Math.max(a, b));
      case AND_I64 -> Memory.putLong(target, a & b);
      case OR_I64 -> Memory.putLong(target, a | b);
      case XOR_I64 -> Memory.putLong(target, a ^ b);
      case SUM_F64 -> FloatSum.combine(target, source);
      default -> takeExtreme(target, source);
    }
  }

  private static void addWords(long target, long source, int words) {
    long carry = 0;
    for (int i = 0; i < words; i++) {
      long offset = (long) i * Long.BYTES;
      long a = Memory.getLong(target + offset);
      long sum = a + Memory.getLong(source + offset);
      long carryOut = Long.compareUnsigned(sum, a) < 0 ? 1 : 0;
      sum += carry;
      carryOut += carry != 0 && sum == 0 ? 1 : 0;
      Memory.putLong(target + offset, sum);
      carry = carryOut;
    }
  }

  private void takeExtreme(long target, long source) {
    int high =
        Long.compare(Memory.getLong(source + Long.BYTES), Memory.getLong(target + Long.BYTES));
    int order =
        high != 0 ? high : Long.compareUnsigned(Memory.getLong(source), Memory.getLong(target));
    if (this == MIN_I128 ? order < 0 : order > 0) {
      Memory.copy(source, target, 2L * Long.BYTES);
    }
  }
}
