package io.ariadne.expression.compiler;

import io.ariadne.expression.compiler.TileValue.Kind;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns registers in one pass over a straight sequence of operations: a register is free after
 * the last operation that reads it.
 *
 * <p>A result may take the register of an operand of the same kind that is read for the last time,
 * but never a part of one: kernels allow a destination to be an operand, not to overlap one.
 */
final class RegisterAllocator {
  private final Map<TileValue, Integer> lastRead = new HashMap<>();
  private final Map<TileValue, Integer> registers = new HashMap<>();
  private final BitSet usedLanes = new BitSet();
  private final BitSet usedMasks = new BitSet();
  private int laneCount;
  private int maskCount;

  private RegisterAllocator() {}

  /** Assigns registers to all values of a sequence. */
  static RegisterAllocator allocate(List<TileOperation> operations) {
    RegisterAllocator allocator = new RegisterAllocator();
    for (int i = 0; i < operations.size(); i++) {
      for (TileValue value : operations.get(i).reads()) {
        allocator.lastRead.put(value, i);
      }
    }
    for (int i = 0; i < operations.size(); i++) {
      allocator.assign(operations.get(i), i);
    }
    return allocator;
  }

  int register(TileValue value) {
    return registers.get(value);
  }

  int laneCount() {
    return laneCount;
  }

  int maskCount() {
    return maskCount;
  }

  private void assign(TileOperation operation, int position) {
    List<TileValue> dying =
        operation.reads().stream()
            .distinct()
            .filter(value -> lastRead.get(value) == position)
            .toList();
    TileValue reused = null;
    if (operation.result() != null) {
      Kind kind = operation.result().kind();
      reused = dying.stream().filter(v -> v.kind() == kind).findFirst().orElse(null);
      registers.put(operation.result(), reused == null ? take(kind) : registers.get(reused));
    }
    if (operation.overflow() != null) {
      registers.put(operation.overflow(), take(Kind.MASK));
    }
    for (TileValue value : dying) {
      if (value != reused) {
        free(value);
      }
    }
    for (TileValue value : operation.writes()) {
      if (!lastRead.containsKey(value)) {
        free(value);
      }
    }
  }

  private int take(Kind kind) {
    BitSet used = kind == Kind.MASK ? usedMasks : usedLanes;
    int register = used.nextClearBit(0);
    if (kind == Kind.PAIR) {
      while (used.get(register + 1)) {
        register = used.nextClearBit(register + 1);
      }
      used.set(register + 1);
    }
    used.set(register);
    laneCount = Math.max(laneCount, usedLanes.length());
    maskCount = Math.max(maskCount, usedMasks.length());
    return register;
  }

  private void free(TileValue value) {
    int register = registers.get(value);
    if (value.kind() == Kind.MASK) {
      usedMasks.clear(register);
    } else {
      usedLanes.clear(register, register + (value.kind() == Kind.PAIR ? 2 : 1));
    }
  }
}
