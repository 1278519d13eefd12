package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.aggregate.GroupLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of partitions of runs that is being merged, the oldest run first. When the table becomes
 * too full, its groups move to runs that the next bits of the hashes partition: the overflow of the
 * range.
 */
final class BridgedRange implements AutoCloseable {
  private final List<BridgedRun> runs;
  private final int level;
  private final int firstPartition;
  private final int endPartition;
  private final List<BridgedRun> overflow = new ArrayList<>();
  private int nextRun;

  /**
   * Creates a range.
   *
   * @param runs not owned
   * @param level which bits of the hashes partition the runs
   * @param firstPartition the first partition
   * @param endPartition the partition after the last one
   */
  BridgedRange(List<BridgedRun> runs, int level, int firstPartition, int endPartition) {
    this.runs = runs;
    this.level = level;
    this.firstPartition = firstPartition;
    this.endPartition = endPartition;
  }

  /**
   * Returns into how many ranges runs are divided so that the groups of each are expected to fit a
   * table.
   */
  static int divisions(
      BridgedAggregateOperatorFactory plan, OperatorContext context, List<BridgedRun> runs) {
    double heapBytes = 0;
    double keyBytes = 0;
    long groups = 0;
    for (BridgedRun run : runs) {
      heapBytes += run.heapBytes(0, HashPartitions.COUNT);
      keyBytes += run.keyBytes();
      groups += run.groupCount(0, HashPartitions.COUNT);
    }
    double tables =
        Math.max(
            heapBytes / plan.maxHeapBytes(context),
            keyBytes / GroupLimits.of(context, 1).keyBytes());
    double divisions = Math.min(groups, Math.ceil(2 * tables));
    return (int) Math.max(1, Math.min(HashPartitions.COUNT, divisions));
  }

  /** Returns whether all runs are merged. */
  boolean isMerged() {
    return nextRun == runs.size();
  }

  /**
   * Merges the next run's groups of this range into a table; moves them to the overflow when the
   * table is full.
   */
  void mergeNext(BridgedTable table) {
    table.addGroups(runs.get(nextRun++), firstPartition, endPartition);
    if (level < HashPartitions.LAST_LEVEL && table.isFull()) {
      overflow.add(table.takeRun(level + 1));
    }
  }

  /**
   * Returns the overflow, which has to be merged again, with the rest of the table. Called once,
   * when all runs are merged.
   *
   * @param table the table into which the runs were merged
   * @return runs of the next level, owned by the caller; empty when the table has all groups
   */
  List<BridgedRun> takeOverflow(BridgedTable table) {
    if (!overflow.isEmpty() && table.groupCount() > 0) {
      overflow.add(table.takeRun(level + 1));
    }
    List<BridgedRun> taken = List.copyOf(overflow);
    overflow.clear();
    return taken;
  }

  int level() {
    return level;
  }

  /** Returns how much of the JVM's heap the groups took when they moved to runs. */
  long heapBytes() {
    return runs.stream().mapToLong(run -> run.heapBytes(firstPartition, endPartition)).sum();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    overflow.forEach(closer::close);
    overflow.clear();
    closer.rethrow();
  }
}
