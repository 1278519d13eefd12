package io.ariadne.expression.compiler;

import io.ariadne.expression.compiler.TileOperation.Action;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Small rewrites of sequences of operations. */
final class TileRewrite {
  private TileRewrite() {}

  /** Returns an operation that reads other registers. */
  static TileOperation replace(TileOperation operation, Map<TileValue, TileValue> replacement) {
    Action action = operation.action();
    TileValue mask = action.mask();
    Action replaced =
        new Action(
            action.opcode(),
            replace(action.a(), replacement),
            replace(action.b(), replacement),
            mask == null ? null : replacement.getOrDefault(mask, mask),
            action.column(),
            action.aux(),
            action.imm(),
            action.function());
    return new TileOperation(replaced, operation.result(), operation.overflow());
  }

  private static Operand replace(Operand operand, Map<TileValue, TileValue> replacement) {
    if (operand == null || operand.isConstant()) {
      return operand;
    }
    TileValue register = operand.register();
    return Operand.of(replacement.getOrDefault(register, register));
  }

  /** Returns the operations of a sequence that its sinks depend on. */
  static List<TileOperation> live(List<TileOperation> line) {
    Set<TileValue> needed = new HashSet<>();
    List<TileOperation> live = new ArrayList<>();
    for (int i = line.size() - 1; i >= 0; i--) {
      TileOperation operation = line.get(i);
      if (operation.isSink() || operation.writes().stream().anyMatch(needed::contains)) {
        needed.addAll(operation.reads());
        live.add(0, operation);
      }
    }
    return live;
  }
}
