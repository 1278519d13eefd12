package io.ariadne.operator.aggregate;

import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SplitSource;
import java.util.List;

/**
 * The output of an aggregation whose groups are in runs. Each split merges a range of partitions
 * and yields its groups. A split holds no memory before it is driven, so memory is needed only for
 * the runs and for the splits that run at the same time.
 */
final class PartitionedGroups implements SplitSource {
  /**
   * Groups of the runs per split: the split's table then fits caches that few threads share. Fewer
   * when keys are long.
   */
  private static final long GROUPS_PER_SPLIT = 32768;

  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final SharedRuns runs;
  private int nextSplit;

  /** Takes ownership of the runs. */
  PartitionedGroups(HashAggregatePlan plan, OperatorContext context, List<GroupRun> runs) {
    this.plan = plan;
    this.context = context;
    long groups =
        runs.stream().mapToLong(run -> run.groupCount(0, GroupPartitionKernel.PARTITIONS)).sum();
    long bytes =
        runs.stream().mapToLong(run -> run.keyBytes(0, GroupPartitionKernel.PARTITIONS)).sum();
    GroupLimits limits = plan.limits(context);
    long bytesPerSplit = Math.max(1, limits.keyBytes() / 2);
    long groupsPerSplit = Math.max(1, Math.min(GROUPS_PER_SPLIT, limits.groups() / 2));
    long parts = Math.max(groups / groupsPerSplit, bytes / bytesPerSplit);
    int splits = (int) Math.max(1, Math.min(GroupPartitionKernel.PARTITIONS, parts));
    this.runs = new SharedRuns(plan, context, runs, 0, splits);
  }

  @Override
  public Schema schema() {
    return plan.outputSchema();
  }

  @Override
  public GroupPartition next() {
    if (nextSplit == runs.ranges()) {
      return null;
    }
    return new GroupPartition(plan, context, new GroupRange(runs, nextSplit++));
  }

  @Override
  public void close() {
    runs.close();
  }
}
