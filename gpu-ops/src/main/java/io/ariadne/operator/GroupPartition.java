package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/** Some partitions of all runs: merged into one table, then its groups. */
final class GroupPartition implements Split {
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final PartitionedGroups source;
  private final List<GroupRun> runs;
  private final int firstPartition;
  private final int endPartition;
  private AggregateTable table;
  private GroupOutput output;
  private int nextRun;
  private long sequence;

  /**
   * Creates the split, which holds nothing yet.
   *
   * @param source has the runs; not closed before the split
   * @param firstPartition its first partition
   * @param endPartition the partition behind its last
   */
  GroupPartition(
      HashAggregatePlan plan,
      OperatorContext context,
      PartitionedGroups source,
      int firstPartition,
      int endPartition) {
    this.plan = plan;
    this.context = context;
    this.source = source;
    this.runs = source.runs();
    this.firstPartition = firstPartition;
    this.endPartition = endPartition;
  }

  @Override
  public RecordBatch next() {
    if (output == null && !merge()) {
      return emptyBatch();
    }
    return output.next(sequence++);
  }

  /** Merges for one turn; returns whether everything is merged. */
  private boolean merge() {
    long start = System.nanoTime();
    if (table == null) {
      table = new AggregateTable(plan, context, expectedGroups());
    }
    while (nextRun < runs.size()) {
      if (context.cancelled().getAsBoolean()) {
        throw new CancellationException("the operator was cancelled");
      }
      if (System.nanoTime() - start > TURN_NANOS) {
        return false;
      }
      mergeRun(nextRun++);
    }
    AggregateTable complete = table;
    table = null;
    output = new GroupOutput(plan, context, complete);
    return true;
  }

  private void mergeRun(int index) {
    GroupRun run = runs.get(index);
    if (run.groupCount(firstPartition, endPartition) == 0) {
      return;
    }
    try (GroupRun.Reading reading = run.open()) {
      table.merge(reading.groups(firstPartition, endPartition), reading.buffers());
    }
    source.merged(index);
  }

  private long groupsInRuns() {
    return runs.stream().mapToLong(run -> run.groupCount(firstPartition, endPartition)).sum();
  }

  /** Room for half of what the runs have: keys that are in two runs are not rare. */
  private int expectedGroups() {
    return (int) Math.min(Integer.MAX_VALUE, groupsInRuns() / 2);
  }

  @Override
  public long memoryInBytes() {
    long strings =
        runs.stream().mapToLong(run -> run.stringBytes(firstPartition, endPartition)).sum();
    return groupsInRuns() * plan.bytesPerGroup() + 2 * strings;
  }

  private RecordBatch emptyBatch() {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (Field field : plan.outputSchema().fields()) {
        try (ColumnBuilder builder = ColumnBuilder.create(field.type(), context.allocator())) {
          columns.add(builder.build());
        }
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    return new RecordBatch(plan.outputSchema(), 0, columns, 0);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(table);
    closer.close(output);
    closer.rethrow();
  }
}
