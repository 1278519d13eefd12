package io.ariadne.expression.compiler;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileLimit;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.tile.TileProgram;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Splits a sequence of operations into programs that fit the kernels' limits. Values that are live
 * at a cut pass through temporary columns.
 *
 * <p>Loads and constants are repeated after a cut instead. A sequence with FILTER that does not fit
 * becomes a sequence without it, whose stores go to temporary columns, and programs that only drop
 * rows; see {@link #split}.
 */
final class ProgramSplitter {
  private final List<TileProgram> programs = new ArrayList<>();
  private int nextColumn;

  private ProgramSplitter(int nextColumn) {
    this.nextColumn = nextColumn;
  }

  /**
   * Splits a sequence.
   *
   * @param operations live operations in order
   * @param firstTemporary number of the first temporary column
   * @return programs to run in order
   */
  static List<TileProgram> split(List<TileOperation> operations, int firstTemporary) {
    ProgramSplitter splitter = new ProgramSplitter(firstTemporary);
    Optional<TileProgram> whole = ProgramAssembler.assemble(aggregatesLast(operations));
    if (whole.isPresent()) {
      return List.of(whole.get());
    }
    List<TileOperation> line = operations;
    List<List<TileOperation>> tails = List.of();
    if (operations.stream().anyMatch(TileOperation::isFilter)) {
      FilterTail tail = FilterTail.of(operations, splitter.nextColumn);
      splitter.nextColumn = tail.nextColumn();
      line = tail.head();
      tails = tail.tails();
    }
    splitter.cut(line);
    for (List<TileOperation> tail : tails) {
      splitter.programs.add(
          ProgramAssembler.assemble(aggregatesLast(tail)).orElseThrow(() -> tooLong(operations)));
    }
    return splitter.programs;
  }

  private static List<TileOperation> aggregatesLast(List<TileOperation> operations) {
    List<TileOperation> ordered = new ArrayList<>(operations);
    List<TileOperation> aggregates = ordered.stream().filter(TileOperation::isAggregate).toList();
    ordered.removeAll(aggregates);
    ordered.addAll(aggregates);
    return ordered;
  }

  private static EngineException tooLong(List<TileOperation> operations) {
    return new EngineException(
        ErrorCode.UNSUPPORTED,
        "an expression of " + operations.size() + " operations cannot be split into programs");
  }

  private void cut(List<TileOperation> line) {
    if (line.isEmpty()) {
      return;
    }
    Optional<TileProgram> program = ProgramAssembler.assemble(aggregatesLast(line));
    if (program.isPresent()) {
      programs.add(program.get());
      return;
    }
    int position = cutPosition(line);
    List<TileOperation> head = new ArrayList<>(line.subList(0, position));
    List<TileOperation> rest = line.subList(position, line.size());
    Map<TileValue, TileOperation> origin = writers(head);
    Map<TileValue, TileValue> replacement = new HashMap<>();
    List<TileOperation> tail = new ArrayList<>();
    List<TileOperation> stores = new ArrayList<>();
    for (TileOperation operation : rest) {
      for (TileValue value : operation.reads()) {
        if (origin.containsKey(value) && !replacement.containsKey(value)) {
          TileOperation again = carried(value, origin.get(value), stores);
          replacement.put(value, again.result());
          tail.add(again);
        }
      }
      tail.add(TileRewrite.replace(operation, replacement));
    }
    head.addAll(stores);
    cut(TileRewrite.live(head));
    cut(tail);
  }

  /** Returns the operation that makes a value available again after the cut. */
  private TileOperation carried(TileValue value, TileOperation writer, List<TileOperation> stores) {
    TileValue copy = new TileValue(value.kind());
    if (writer.isRecomputable()) {
      return new TileOperation(writer.action(), copy, null);
    }
    int column = nextColumn++;
    Action store = new Action(storeOf(value.kind()), Operand.of(value), null, null, column, 0, 0);
    stores.add(new TileOperation(store, null, null));
    Action load = new Action(loadOf(value.kind()), null, null, null, column, 0, 0);
    return new TileOperation(load, copy, null);
  }

  private static Map<TileValue, TileOperation> writers(List<TileOperation> line) {
    Map<TileValue, TileOperation> writers = new HashMap<>();
    for (TileOperation operation : line) {
      operation.writes().forEach(value -> writers.put(value, operation));
    }
    return writers;
  }

  /**
   * Chooses the position where the fewest values are live: in the middle half, or, where too many
   * are live there, at any position that makes the rest shorter.
   */
  private static int cutPosition(List<TileOperation> line) {
    int quarter = Math.max(1, line.size() / 4);
    int best = cutPosition(line, quarter, Math.min(line.size() - quarter, line.size() - 1));
    if (best < 0) {
      best = cutPosition(line, quarter / 2, line.size() - 1 - quarter / 2);
    }
    if (best < 0) {
      throw tooLong(line);
    }
    return best;
  }

  /** Returns a position in a range, both ends included, or -1. */
  private static int cutPosition(List<TileOperation> line, int from, int to) {
    int best = -1;
    int fewest = TileLimit.TILE_MAX_OUTPUTS + 1;
    for (int i = Math.max(1, from); i <= to; i++) {
      int alive = liveValuesAt(line, i);
      if (alive < fewest) {
        fewest = alive;
        best = i;
      }
    }
    return best;
  }

  private static int liveValuesAt(List<TileOperation> line, int position) {
    Set<TileValue> alive = new HashSet<>();
    for (TileOperation operation : line.subList(position, line.size())) {
      alive.addAll(operation.reads());
    }
    int count = 0;
    for (TileOperation operation : line.subList(0, position)) {
      if (!operation.isRecomputable()) {
        count += (int) operation.writes().stream().filter(alive::contains).count();
      }
    }
    return count;
  }

  static TileOpcode storeOf(Kind kind) {
    return switch (kind) {
      case LANE -> TileOpcode.STORE_I64;
      case PAIR -> TileOpcode.STORE_I128;
      case MASK -> TileOpcode.STORE_BOOL;
    };
  }

  static TileOpcode loadOf(Kind kind) {
    return switch (kind) {
      case LANE -> TileOpcode.LOAD_I64;
      case PAIR -> TileOpcode.LOAD_I128;
      case MASK -> TileOpcode.LOAD_BOOL;
    };
  }
}
