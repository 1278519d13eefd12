package io.ariadne.operator.aggregate;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/**
 * A range of partitions of all runs. This split merges them into one table and yields its groups.
 * When the table becomes too large, the range is repartitioned by further bits of the hashes, range
 * by range and level by level.
 */
final class GroupPartition implements Split {
  private static final long MAX_CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final GroupLimits limits;
  private final GroupRange whole;

  /** Ranges that are still to be merged, the next one first. */
  private final Deque<GroupRange> ranges = new ArrayDeque<>();

  /** Runs of repartitioned ranges; closed with the split at the latest. */
  private final List<SharedRuns> divided = new ArrayList<>();

  private AggregateTable table;

  /** Groups of the current range that did not fit the table; null when all did. */
  private GroupRuns overflow;

  private GroupOutput output;
  private long sequence;

  /** Whether runs are being merged or repartitioned, which cannot be repeated once it failed. */
  private boolean isMerging;

  /**
   * Creates the split, which holds no memory yet.
   *
   * @param whole the range to merge; its runs stay open as long as this split
   */
  GroupPartition(HashAggregatePlan plan, OperatorContext context, GroupRange whole) {
    this.plan = plan;
    this.context = context;
    this.limits = plan.limits(context);
    this.whole = whole;
    ranges.push(whole);
  }

  @Override
  public RecordBatch next() {
    long start = System.nanoTime();
    while (output != null || !ranges.isEmpty()) {
      if (context.cancelled().getAsBoolean()) {
        throw new CancellationException("the operator was cancelled");
      }
      if (output == null && System.nanoTime() - start > MAX_CALL_NANOS) {
        return emptyBatch();
      }
      if (output == null) {
        advance(ranges.peek());
      } else {
        RecordBatch batch = output.next(sequence);
        sequence++;
        if (batch != null) {
          return batch;
        }
        GroupOutput ended = output;
        output = null;
        ended.close();
      }
    }
    return null;
  }

  /** Returns whether {@link #next} failed while it made a batch or the table of a range. */
  @Override
  public boolean mayRepeat() {
    return !isMerging;
  }

  private void advance(GroupRange range) {
    if (table == null) {
      table = new AggregateTable(plan, context, expectedGroups(range));
    }
    isMerging = true;
    merge(range);
    isMerging = false;
  }

  private void merge(GroupRange range) {
    if (!range.isMerged()) {
      range.mergeNext(table);
      if (range.level() < GroupPartitionKernel.LAST_LEVEL && limits.areExceededByMerged(table)) {
        moveTableToOverflow(range.level() + 1);
      }
      return;
    }
    ranges.pop();
    if (overflow != null) {
      divide(range.level() + 1);
    } else if (table.groupCount() > 0) {
      output = new GroupOutput(plan, context, table);
      table = null;
    }
  }

  private void moveTableToOverflow(int level) {
    if (overflow == null) {
      overflow = new GroupRuns(context, limits, level);
    }
    overflow.add(table.takeRun(level));
    overflow.mergeWhenMany(table);
  }

  private void divide(int level) {
    if (table.groupCount() > 0) {
      moveTableToOverflow(level);
    }
    List<GroupRun> runs = new ArrayList<>();
    overflow.takeAll(table, runs);
    overflow = null;
    long tables = 2 * (SharedRuns.bytes(runs, plan) / limits.mergedBytes() + 1);
    int count = (int) Math.min(GroupPartitionKernel.PARTITIONS, tables);
    SharedRuns shared = new SharedRuns(plan, context, runs, level, count);
    divided.add(shared);
    for (int i = count - 1; i >= 0; i--) {
      ranges.push(new GroupRange(shared, i));
    }
  }

  /**
   * Returns how many groups the table is sized for: half of the runs' groups, as keys in two runs
   * are common.
   */
  private int expectedGroups(GroupRange range) {
    long most = limits.mergedBytes() / plan.bytesPerGroup();
    return (int) Math.min(Integer.MAX_VALUE, Math.min(most, range.groupCount() / 2));
  }

  @Override
  public long memoryInBytes() {
    long bytes = whole.groupCount() * plan.bytesPerGroup() + 2 * whole.stringBytes();
    return Math.min(bytes, limits.mergedBytes());
  }

  private RecordBatch emptyBatch() {
    try (BatchBuilder none = new BatchBuilder(plan.outputSchema(), context.allocator())) {
      return none.build(0);
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(table);
    closer.close(overflow);
    closer.close(output);
    divided.forEach(closer::close);
    closer.rethrow();
  }
}
