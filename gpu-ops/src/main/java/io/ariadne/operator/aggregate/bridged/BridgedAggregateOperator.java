package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import java.util.List;

/**
 * Hash aggregation with any number of keys, none included, whose aggregates an {@link
 * io.ariadne.columnar.AggregationFunction} computes row by row, in the order of the rows.
 *
 * <p>Output are the keys, then the function's columns. Without keys there is one row also for no
 * input. There is one local state: who runs this gives it one thread and the batches in order.
 *
 * <p>Groups whose objects take too much of the JVM's heap are put away as runs, which are merged
 * partition by partition when the output is drawn, by several threads if the caller wants: the
 * oldest run first, so that a group's rows come in their order. Without runs groups are in the
 * order of their first rows.
 */
public final class BridgedAggregateOperator implements SinkOperator {
  private final BridgedAggregateOperatorFactory plan;
  private final OperatorContext context;
  private BridgedAggregateState state;
  private BridgedOutput output;
  private BridgedPartitions partitions;
  private BridgedPartition partition;
  private boolean finished;
  private boolean ended;
  private long sequence;

  BridgedAggregateOperator(BridgedAggregateOperatorFactory plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public SinkState newLocal() {
    return new BridgedAggregateState(plan, context);
  }

  @Override
  public void combine(SinkState local) {
    if (state != null) {
      local.close();
      throw new IllegalStateException("rows in their order need one local state");
    }
    state = (BridgedAggregateState) local;
  }

  @Override
  public void finish() {
    if (state == null) {
      state = new BridgedAggregateState(plan, context);
    }
    state.complete();
    List<BridgedRun> runs = state.takeRuns();
    if (runs.isEmpty()) {
      output = new BridgedOutput(state.table());
      ended = output.isFinished();
    } else {
      partitions = new BridgedPartitions(plan, context, runs);
      BridgedAggregateState over = state;
      state = null;
      over.close();
    }
    finished = true;
  }

  @Override
  public RecordBatch getOutput() {
    if (!finished || ended) {
      return null;
    }
    if (output == null) {
      return nextOfPartitions();
    }
    RecordBatch batch = output.next(sequence++);
    ended = output.isFinished();
    return batch;
  }

  /**
   * Draws the partitions one after the other, not side by side on all lanes: the objects of one are
   * what a task may have on the JVM's heap.
   */
  private RecordBatch nextOfPartitions() {
    while (!ended) {
      if (partition == null) {
        partition = partitions.next();
        ended = partition == null;
      } else {
        RecordBatch batch = partition.next();
        if (batch == null) {
          BridgedPartition drawn = partition;
          partition = null;
          drawn.close();
        } else if (batch.rowCount() == 0) {
          batch.close();
        } else {
          return batch;
        }
      }
    }
    return null;
  }

  @Override
  public boolean isFinished() {
    return ended;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(partition);
    closer.close(partitions);
    closer.close(output);
    closer.close(state);
    closer.rethrow();
  }
}
