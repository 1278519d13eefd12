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
 * Hash aggregation with any number of keys, none included.
 *
 * <p>Each local state has a table of its own. While all of them stay small, the first one combined
 * becomes the global table and the others are added to it, group by group. When one has had to give
 * groups up, or all keys take too much, everything becomes runs sorted by partition, which are
 * merged partition by partition when the output is drawn, by several threads if the caller wants.
 * Accumulators are exact: so the result depends neither on threads nor on order. Output are the
 * keys, then per aggregate its buffer columns or its result. Without keys there is one row also for
 * no input.
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
        giveUpTable();
      } else if (table == null) {
        table = other;
      } else {
        try (other) {
          table.merge(other);
        }
        if (plan.isGrouped() && isTooLarge()) {
          giveUpTable();
        }
      }
    }
  }

  private boolean isTooLarge() {
    GroupLimits limits = plan.limits(context);
    return table.keyBytes() >= limits.keyBytes()
        || (limits.areReachedBy(table) && context.kernelSpill().isScarce());
  }

  /** Turns the global table into a run: another state has some, or its keys are many. */
  private void giveUpTable() {
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
      AggregateTable complete = table == null ? new AggregateTable(plan, context) : table;
      table = null;
      output = new GroupOutput(plan, context, complete);
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
    RecordBatch batch = output == null ? nextOfPartitions() : output.next(sequence++);
    isFinished = output == null ? isFinished : output.isFinished();
    return batch;
  }

  /** Draws the partitions one after the other. */
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
