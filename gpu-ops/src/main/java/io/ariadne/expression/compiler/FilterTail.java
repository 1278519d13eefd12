package io.ariadne.expression.compiler;

import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.kernel.abi.TileLimit;
import io.ariadne.kernel.abi.TileOpcode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A divided sequence of operations with FILTER: a head that computes without dropping rows, and
 * tails that load, drop rows and store.
 *
 * @param head operations whose stores go to temporary columns
 * @param tails one program each, with few enough inputs and outputs
 * @param nextColumn the next free temporary column
 */
record FilterTail(List<TileOperation> head, List<List<TileOperation>> tails, int nextColumn) {

  /** How many columns a tail stores; each may need two inputs, and the filter needs one more. */
  private static final int STORES_PER_TAIL = TileLimit.TILE_MAX_OUTPUTS - 1;

  /** How many aggregates a tail has; their arguments are all live at the same time. */
  private static final int AGGREGATES_PER_TAIL = 8;

  /** Divides a sequence of operations. */
  static FilterTail of(List<TileOperation> line, int firstTemporary) {
    return new Splitting(line, firstTemporary).result();
  }

  /** The state of a division. */
  private static final class Splitting {
    private final List<TileOperation> line;
    private final Map<TileValue, TileOperation> writers = new HashMap<>();
    private final Map<TileValue, Action> reloads = new HashMap<>();
    private final List<TileOperation> head = new ArrayList<>();
    private int nextColumn;

    Splitting(List<TileOperation> line, int firstTemporary) {
      this.line = line;
      this.nextColumn = firstTemporary;
      for (TileOperation operation : line) {
        operation.writes().forEach(value -> writers.put(value, operation));
      }
    }

    FilterTail result() {
      TileOperation filter =
          line.stream().filter(TileOperation::isFilter).findFirst().orElseThrow();
      Map<Integer, List<TileOperation>> sinks = new LinkedHashMap<>();
      int aggregates = 0;
      for (TileOperation operation : line) {
        if (operation.isStore()) {
          int column = operation.action().column();
          sinks.computeIfAbsent(column, key -> new ArrayList<>()).add(operation);
        } else if (operation.isAggregate()) {
          sinks.put(--aggregates, List.of(operation));
        } else if (!operation.isFilter()) {
          head.add(operation);
        }
      }
      List<List<TileOperation>> tails = new ArrayList<>();
      List<List<TileOperation>> groups = new ArrayList<>(sinks.values());
      int perTail = aggregates == 0 ? STORES_PER_TAIL : AGGREGATES_PER_TAIL;
      for (int i = 0; i == 0 || i < groups.size(); i += perTail) {
        int end = Math.min(groups.size(), i + perTail);
        tails.add(tail(filter, groups.subList(i, end)));
      }
      return new FilterTail(TileRewrite.live(head), tails, nextColumn);
    }

    private List<TileOperation> tail(TileOperation filter, List<List<TileOperation>> groups) {
      List<TileOperation> tail = new ArrayList<>();
      Map<TileValue, TileValue> loaded = new HashMap<>();
      addReading(filter, tail, loaded);
      for (List<TileOperation> group : groups) {
        for (TileOperation sink : group) {
          addReading(sink, tail, loaded);
        }
      }
      return tail;
    }

    private void addReading(
        TileOperation sink, List<TileOperation> tail, Map<TileValue, TileValue> loaded) {
      for (TileValue value : sink.reads()) {
        if (!loaded.containsKey(value)) {
          TileValue copy = new TileValue(value.kind());
          loaded.put(value, copy);
          tail.add(new TileOperation(reload(value), copy, null));
        }
      }
      tail.add(TileRewrite.replace(sink, loaded));
    }

    private Action reload(TileValue value) {
      TileOperation writer = writers.get(value);
      return writer.isRecomputable()
          ? writer.action()
          : reloads.computeIfAbsent(value, this::stored);
    }

    private Action stored(TileValue value) {
      int column = nextColumn++;
      TileOpcode store = ProgramSplitter.storeOf(value.kind());
      head.add(
          new TileOperation(
              new Action(store, Operand.of(value), null, null, column, 0, 0), null, null));
      TileOpcode load = ProgramSplitter.loadOf(value.kind());
      return new Action(load, null, null, null, column, 0, 0);
    }
  }
}
