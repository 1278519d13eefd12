package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.UnprocessedBatch;
import io.ariadne.operator.aggregate.GroupLimits;
import io.ariadne.spill.Revocable;
import io.ariadne.spill.SpillPlacement;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of a {@link BridgedAggregateOperator}: a table, and the runs that were put away when
 * its groups held more of the JVM's heap than they may, or when others lacked memory between two
 * batches.
 */
final class BridgedAggregateState implements SinkState {
  private static final Logger LOG = LoggerFactory.getLogger(BridgedAggregateState.class);

  /** The table is needed before the runs, which are at rest. */
  private static final SpillPlacement PLACEMENT = SpillPlacement.at(HashPartitions.COUNT, true);

  private final BridgedAggregateOperatorFactory plan;
  private final OperatorContext context;
  private final long leastRevocable;
  private final List<BridgedRun> runs = new ArrayList<>();
  private final UnprocessedBatch refused = new UnprocessedBatch();
  private BridgedTable table;
  private Revocable memory;

  BridgedAggregateState(BridgedAggregateOperatorFactory plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
    this.leastRevocable = GroupLimits.of(context, 1).revocableBytes();
    this.table = new BridgedTable(plan, context);
    try {
      this.memory = context.spill().revocable(PLACEMENT, this::putTableAway);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public void addInput(RecordBatch batch) {
    try {
      memory.begin();
      if (batch.rowCount() > 0) {
        table.addRows(batch);
      }
    } catch (Throwable e) { // Spark's code throws checked exceptions that no signature names
      if (table.isTouched()) {
        Closer closer = new Closer();
        closer.close(batch);
        closer.suppressIn(e);
      } else {
        refused.keepOrClose(batch, e);
      }
      throw e; // the use goes on with the next attempt: groups may not be the JVM's yet
    }
    batch.close();
    putAwayIfFull();
    memory.end(revocableBytes());
  }

  /** Without memory for that a full table stays, and is put away after the next batch. */
  private void putAwayIfFull() {
    if (!table.isFull()) {
      return;
    }
    try {
      runs.add(table.takeRun(0));
    } catch (EngineException e) {
      if (!UnprocessedBatch.isShortage(e)) {
        throw e;
      }
      LOG.debug("a full table stays for lack of memory", e);
    }
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return refused.take();
  }

  /** Returns what others may have of the table: nothing without keys, or of a small one. */
  private long revocableBytes() {
    long bytes = plan.isGrouped() && table.groupCount() > 0 ? table.hostBytes() : 0;
    return bytes < leastRevocable ? 0 : bytes;
  }

  /** Makes a run of the table's groups, which may leave memory, and begins an empty table. */
  private void putTableAway() {
    BridgedTable empty = new BridgedTable(plan, context);
    BridgedTable full = table;
    try {
      runs.add(full.toRun(0));
    } catch (Throwable e) { // Spark's code throws checked exceptions that no signature names
      Closer closer = new Closer();
      closer.close(empty);
      closer.suppressIn(e);
      throw e;
    }
    table = empty;
    full.close();
  }

  /**
   * Ends what others may ask for: the state takes no more batches. Throws what that failed with.
   */
  void complete() {
    memory.begin();
    memory.close();
  }

  /** Returns the table, after {@link #complete()}: all groups, when there are no runs. */
  BridgedTable table() {
    return table;
  }

  /**
   * Puts what is left in the table away when there are runs, after {@link #complete()}.
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
    closer.close(memory);
    runs.forEach(closer::close);
    runs.clear();
    closer.close(refused);
    closer.close(table);
    closer.rethrow();
  }
}
