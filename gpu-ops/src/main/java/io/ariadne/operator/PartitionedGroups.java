package io.ariadne.operator;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The result of an aggregation whose groups are in runs: each split merges some partitions and
 * yields their groups. Splits hold nothing before they are driven, so that memory is needed for the
 * runs and for as many parts of the result as are driven at a time. A run is freed as soon as no
 * split needs it any more.
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

  /** By run, how many splits have groups of it and have not merged them. */
  private final AtomicIntegerArray readers;

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
    GroupLimits limits = plan.limits(context);
    long bytesPerSplit = Math.max(1, limits.keyBytes() / 2);
    long groupsPerSplit = Math.max(1, Math.min(GROUPS_PER_SPLIT, limits.groups() / 2));
    long parts = Math.max(groups / groupsPerSplit, bytes / bytesPerSplit);
    this.splits = (int) Math.max(1, Math.min(GroupPartitionKernel.PARTITIONS, parts));
    this.readers = new AtomicIntegerArray(runs.size());
    for (int split = 0; split < splits; split++) {
      for (int run = 0; run < runs.size(); run++) {
        if (this.runs.get(run).groupCount(boundary(split), boundary(split + 1)) > 0) {
          readers.incrementAndGet(run);
        }
      }
    }
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
    return new GroupPartition(plan, context, this, first, boundary(nextSplit));
  }

  private int boundary(int split) {
    return GroupPartitionKernel.PARTITIONS * split / splits;
  }

  /** Returns all runs, which are not closed before the splits that need them. */
  List<GroupRun> runs() {
    return runs;
  }

  /** Notes that a split has merged its groups of a run. Thread-safe. */
  void merged(int run) {
    if (readers.decrementAndGet(run) == 0) {
      runs.get(run).close();
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    runs.forEach(closer::close);
    closer.rethrow();
  }
}
