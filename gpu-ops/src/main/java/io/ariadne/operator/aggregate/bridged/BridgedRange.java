package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.aggregate.GroupLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * Some partitions of runs that are being merged, the oldest run first, and what a table that became
 * too full on the way has put away: runs divided by the next bits of the hashes.
 */
final class BridgedRange implements AutoCloseable {
  private final List<BridgedRun> runs;
  private final int level;
  private final int firstPartition;
  private final int endPartition;
  private final List<BridgedRun> putAway = new ArrayList<>();
  private int nextRun;

  /**
   * Creates a range.
   *
   * @param runs not owned
   * @param level by which bits the runs are divided
   * @param firstPartition its first partition
   * @param endPartition the partition behind its last
   */
  BridgedRange(List<BridgedRun> runs, int level, int firstPartition, int endPartition) {
    this.runs = runs;
    this.level = level;
    this.firstPartition = firstPartition;
    this.endPartition = endPartition;
  }

  /** Returns into how many ranges runs are divided so that each is expected to fit a table. */
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

  /** Returns whether all runs were merged. */
  boolean isMerged() {
    return nextRun == runs.size();
  }

  /** Merges the next run's groups into a table, which puts away what is too much. */
  void mergeNext(BridgedTable table) {
    table.addGroups(runs.get(nextRun++), firstPartition, endPartition);
    if (level < HashPartitions.LAST_LEVEL && table.isFull()) {
      putAway.add(table.takeRun(level + 1));
    }
  }

  /**
   * Returns what was put away, which has to be merged again, and puts the rest of the table there,
   * too; called once, when all runs were merged.
   *
   * @return runs of the next level, owned by the caller; empty when the table has all groups
   */
  List<BridgedRun> takePutAway(BridgedTable table) {
    if (!putAway.isEmpty() && table.groupCount() > 0) {
      putAway.add(table.takeRun(level + 1));
    }
    List<BridgedRun> taken = List.copyOf(putAway);
    putAway.clear();
    return taken;
  }

  int level() {
    return level;
  }

  /** Returns what the groups took of the JVM's heap when they were put away. */
  long heapBytes() {
    return runs.stream().mapToLong(run -> run.heapBytes(firstPartition, endPartition)).sum();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    putAway.forEach(closer::close);
    putAway.clear();
    closer.rethrow();
  }
}
