package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import java.util.List;

/**
 * Aggregates by hashing, with any number of keys including none. An {@link
 * io.ariadne.columnar.AggregationFunction} computes the aggregates row by row, in the order of the
 * rows.
 *
 * <p>The output has the keys, then the function's columns. Without keys there is one row, also for
 * an empty input. There is one local state: the caller must feed it the batches in order.
 *
 * <p>Groups whose objects take too much of the JVM's heap move to runs. The output merges the runs
 * one range of partitions at a time, the oldest run first, so that a group's rows stay in order.
 * Without runs, groups are in the order of their first rows.
 *
 * <p>A call that was refused memory may not be repeated: the function's own code runs in it, and
 * may change a group when it evaluates it.
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
      throw new IllegalStateException(
          "an aggregation that depends on the order of rows has one local state");
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
   * Returns the next batch of the partitions, one partition after the other and never at the same
   * time: a task may have the objects of one partition on the JVM's heap.
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
