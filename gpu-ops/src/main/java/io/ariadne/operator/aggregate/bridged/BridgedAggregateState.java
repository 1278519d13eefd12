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
 * The groups of a {@link BridgedAggregateOperator}: a table and runs. The table's groups move to a
 * run when they take more of the JVM's heap than allowed, or when the spill space requests memory
 * between two batches.
 */
final class BridgedAggregateState implements SinkState {
  private static final Logger LOG = LoggerFactory.getLogger(BridgedAggregateState.class);

  /** The table is needed before the runs. */
  private static final SpillPlacement PLACEMENT = SpillPlacement.at(HashPartitions.COUNT, true);

  private final BridgedAggregateOperatorFactory plan;
  private final OperatorContext context;
  private final long minRevocableBytes;
  private final List<BridgedRun> runs = new ArrayList<>();
  private final UnprocessedBatch unprocessed = new UnprocessedBatch();
  private BridgedTable table;
  private Revocable memory;

  BridgedAggregateState(BridgedAggregateOperatorFactory plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
    this.minRevocableBytes = GroupLimits.of(context, 1).revocableBytes();
    this.table = new BridgedTable(plan, context);
    try {
      this.memory = context.spill().revocable(PLACEMENT, this::releaseTable);
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
      if (table.isPartlyApplied()) {
        Closer closer = new Closer();
        closer.close(batch);
        closer.suppressIn(e);
      } else {
        unprocessed.keepOrClose(batch, e);
      }
      throw e; // memory stays in use until the next attempt succeeds
    }
    batch.close();
    moveToRunIfFull();
    memory.end(revocableBytes());
  }

  /**
   * Moves the groups of a full table to a run. When this is refused memory, the table is kept until
   * after the next batch.
   */
  private void moveToRunIfFull() {
    if (!table.isFull()) {
      return;
    }
    try {
      runs.add(table.takeRun(0));
    } catch (EngineException e) {
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
      LOG.debug("a full table is kept, no memory for a run", e);
    }
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return unprocessed.take();
  }

  /** Returns how many bytes can be released on request: none without keys or of a small table. */
  private long revocableBytes() {
    long bytes = plan.isGrouped() && table.groupCount() > 0 ? table.hostBytes() : 0;
    return bytes < minRevocableBytes ? 0 : bytes;
  }

  /** Moves the table's groups to a run, which may be spilled, and starts an empty table. */
  private void releaseTable() {
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
   * Ends the revocable use of memory; the state takes no more batches. Throws the error of a
   * release that failed.
   */
  void complete() {
    memory.begin();
    memory.close();
  }

  /** Returns the table, after {@link #complete()}; it has all groups when there are no runs. */
  BridgedTable table() {
    return table;
  }

  /**
   * Returns all runs, after {@link #complete()}. When there are runs, moves the rest of the table
   * to one.
   *
   * @return the runs, the oldest first, owned by the caller; empty when all groups are in the table
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
    closer.close(unprocessed);
    closer.close(table);
    closer.rethrow();
  }
}
