package io.ariadne.operator;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import java.util.List;

/**
 * The result of an aggregation whose groups are in runs: each split merges some partitions and
 * yields their groups. Splits hold nothing before they are driven, so that memory is needed for the
 * runs and for as many parts of the result as are driven at a time.
 */
final class PartitionedGroups implements SplitSource {
  /**
   * Groups of the runs per split, so that its table fits the caches shared by few threads; fewer
   * when their keys are long.
   */
  private static final long GROUPS_PER_SPLIT = 32768;

  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final List<GroupRun> runs;
  private final int splits;
  private int nextSplit;

  /** Takes ownership of the runs. */
  PartitionedGroups(HashAggregatePlan plan, OperatorContext context, List<GroupRun> runs) {
    this.plan = plan;
    this.context = context;
    this.runs = List.copyOf(runs);
    long groups =
        runs.stream().mapToLong(run -> run.groupCount(0, GroupPartitionKernel.PARTITIONS)).sum();
    long bytes =
        runs.stream().mapToLong(run -> run.keyBytes(0, GroupPartitionKernel.PARTITIONS)).sum();
    long bytesPerSplit = Math.max(1, plan.limits(context.backend()).keyBytes() / 2);
    long parts = Math.max(groups / GROUPS_PER_SPLIT, bytes / bytesPerSplit);
    this.splits = (int) Math.max(1, Math.min(GroupPartitionKernel.PARTITIONS, parts));
  }

  @Override
  public Schema schema() {
    return plan.outputSchema();
  }

  @Override
  public GroupPartition next() {
    if (nextSplit == splits) {
      return null;
    }
    int first = boundary(nextSplit++);
    return new GroupPartition(plan, context, runs, first, boundary(nextSplit));
  }

  private int boundary(int split) {
    return GroupPartitionKernel.PARTITIONS * split / splits;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    runs.forEach(closer::close);
    closer.rethrow();
  }
}
