package io.ariadne.operator.aggregate;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.SplitSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Aggregates by hashing, with any number of keys including none.
 *
 * <p>Each local state has its own table. As long as all tables stay small, the first one to be
 * combined becomes the global table and the other ones are merged into it. When a state had to move
 * groups to runs, or all keys take too much memory, every table becomes a run that is sorted by
 * partition. The output then merges the runs one range of partitions at a time, on several threads
 * if the caller takes splits.
 *
 * <p>Accumulators are exact, so the result depends neither on threads nor on the order of batches.
 * The output has the keys, then for each aggregate its buffer columns or its result. Without keys
 * there is one row, also for an empty input.
 */
public final class HashAggregateOperator implements SinkOperator {
  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final List<GroupRun> runs = new ArrayList<>();
  private AggregateTable table;
  private GroupOutput output;
  private PartitionedGroups partitions;
  private GroupPartition partition;
  private boolean isFinished;
  private long sequence;

  HashAggregateOperator(HashAggregatePlan plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public SinkState newLocal() {
    return new HashAggregateState(plan, context);
  }

  @Override
  public void combine(SinkState local) {
    try (HashAggregateState state = (HashAggregateState) local) {
      AggregateTable other = state.take(!runs.isEmpty(), runs);
      if (other == null) {
        moveTableToRuns();
      } else if (table == null) {
        table = other;
      } else {
        try (other) {
          table.merge(other);
        }
        if (plan.isGrouped() && isTooLarge()) {
          moveTableToRuns();
        }
      }
    }
  }

  private boolean isTooLarge() {
    GroupLimits limits = plan.limits(context);
    return table.keyBytes() >= limits.keyBytes()
        || (limits.areReachedBy(table) && context.kernelSpill().isScarce());
  }

  /** Moves the global table to a run: a state has runs, or the keys take too much memory. */
  private void moveTableToRuns() {
    if (table != null) {
      if (table.groupCount() > 0) {
        runs.add(table.takeRun(0));
      }
      table.close();
      table = null;
    }
  }

  @Override
  public void finish() {
    if (runs.isEmpty()) {
      if (table == null) {
        table = new AggregateTable(plan, context);
      }
      output = new GroupOutput(plan, context, table);
      table = null;
      isFinished = output.isFinished();
    } else {
      partitions = new PartitionedGroups(plan, context, runs);
      runs.clear();
    }
  }

  @Override
  public SplitSource takeSplits() {
    PartitionedGroups taken = partitions;
    partitions = null;
    isFinished |= taken != null;
    return taken;
  }

  @Override
  public RecordBatch getOutput() {
    if (output == null) {
      return nextOfPartitions();
    }
    RecordBatch batch = output.next(sequence);
    sequence++;
    isFinished = output.isFinished();
    return batch;
  }

  /**
   * Returns whether a call failed before it had an effect: not while partitions are merged, see
   * {@link GroupPartition#mayRepeat}.
   */
  @Override
  public boolean mayRepeat() {
    return partition == null || partition.mayRepeat();
  }

  /** Returns the next batch of the partitions, one partition after the other. */
  private RecordBatch nextOfPartitions() {
    while (!isFinished) {
      if (partition == null) {
        partition = partitions.next();
        isFinished = partition == null;
      } else {
        RecordBatch batch = partition.next();
        if (batch == null) {
          partition.close();
          partition = null;
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
    return isFinished;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(partition);
    closer.close(partitions);
    closer.close(output);
    closer.close(table);
    runs.forEach(closer::close);
    closer.rethrow();
  }
}
