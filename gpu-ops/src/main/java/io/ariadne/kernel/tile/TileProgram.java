package io.ariadne.kernel.tile;

import io.ariadne.kernel.abi.TileOpcode;
import java.math.BigInteger;
import java.util.List;

/**
 * A compiled program: what one launch of a tile program kernel does to a batch. Immutable.
 *
 * @param instructions in order
 * @param constants the pool of 128-bit constants
 * @param inputs columns read, by the number loads use
 * @param outputs columns written, by the number stores use
 * @param laneRegisters 64-bit registers in use
 * @param maskRegisters mask registers in use
 */
public record TileProgram(
    List<TileInstruction> instructions,
    List<BigInteger> constants,
    List<TileInput> inputs,
    List<TileOutput> outputs,
    int laneRegisters,
    int maskRegisters) {
  /** Copies the lists. */
  public TileProgram {
    instructions = List.copyOf(instructions);
    constants = List.copyOf(constants);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /** Returns whether the program drops rows: its outputs then have fewer rows than its inputs. */
  public boolean hasFilter() {
    return instructions.stream().anyMatch(i -> i.opcode() == TileOpcode.FILTER);
  }

  /**
   * Returns whether the program has exact decimal operations, hashes of decimals, or operations
   * that read characters. On a GPU these take so many registers that they have their own kernel.
   */
  public boolean hasLongOperations() {
    return instructions.stream().anyMatch(i -> isLongOperation(i.opcode()));
  }

  /** Returns whether, on a GPU, only the kernel for decimals has an operation. */
  static boolean isLongOperation(TileOpcode opcode) {
    return switch (opcode) {
      case DECIMAL_ADD, DECIMAL_SUB, DECIMAL_MUL, DECIMAL_DIV, DECIMAL_REM, DECIMAL_RESCALE -> true;
      case MURMUR3_DECIMAL, XXHASH64_DECIMAL, AGG_SUM_F64 -> true;
      case ROUND_DIGITS_F64, F64_TO_DECIMAL -> true;
      default -> opcode.name().endsWith("_VIEW");
    };
  }

  /** Returns how many 64-bit words of a GPU block's shared memory one group's accumulators take. */
  public int sharedWordsPerGroup() {
    return instructions.stream().mapToInt(i -> sharedWords(i.opcode())).sum();
  }

  private static int sharedWords(TileOpcode opcode) {
    return switch (opcode) {
      case AGG_COUNT, AGG_MIN_I64, AGG_MAX_I64, AGG_AND_I64, AGG_OR_I64, AGG_XOR_I64 -> 1;
      case AGG_SUM_I64 -> 2;
      case AGG_SUM_I128, AGG_SUM_I192 -> 3;
      default -> 0;
    };
  }
}
