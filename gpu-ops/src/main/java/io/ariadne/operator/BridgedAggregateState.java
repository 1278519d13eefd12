package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import java.util.ArrayList;
import java.util.List;

/**
 * The groups of a {@link BridgedAggregateOperator}: a table, and the runs that it has put away when
 * its groups held more of the JVM's heap than they may.
 */
final class BridgedAggregateState implements SinkState {
  private final BridgedTable table;
  private final List<BridgedRun> runs = new ArrayList<>();

  BridgedAggregateState(BridgedAggregateOperatorFactory plan, OperatorContext context) {
    this.table = new BridgedTable(plan, context);
  }

  @Override
  public void addInput(RecordBatch batch) {
    try (batch) {
      if (batch.rowCount() > 0) {
        table.addRows(batch);
      }
    }
    if (table.isFull()) {
      runs.add(table.takeRun(0));
    }
  }

  /** Returns the table: all groups, when there are no runs. */
  BridgedTable table() {
    return table;
  }

  /**
   * Puts what is left in the table away when there are runs; the state takes no more batches.
   *
   * @return all runs, the oldest first, owned by the caller; empty when all groups are in the table
   */
  List<BridgedRun> takeRuns() {
    if (!runs.isEmpty() && table.groupCount() > 0) {
      runs.add(table.takeRun(0));
    }
    List<BridgedRun> taken = List.copyOf(runs);
    runs.clear();
    return taken;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    runs.forEach(closer::close);
    runs.clear();
    closer.close(table);
    closer.rethrow();
  }
}
