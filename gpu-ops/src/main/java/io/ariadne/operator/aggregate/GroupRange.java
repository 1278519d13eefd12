package io.ariadne.operator.aggregate;

/** A range of partitions of runs that is being merged, the oldest run first. */
final class GroupRange {
  private final SharedRuns runs;
  private final int range;
  private int nextRun;

  /**
   * Creates a range of which nothing is merged.
   *
   * @param runs not owned
   * @param range its number among those of the runs
   */
  GroupRange(SharedRuns runs, int range) {
    this.runs = runs;
    this.range = range;
  }

  /** Returns by which bits of their hashes the runs are partitioned. */
  int level() {
    return runs.level();
  }

  /** Returns whether all runs were merged. */
  boolean isMerged() {
    return nextRun == runs.runCount();
  }

  /** Merges the next run's groups into a table. */
  void mergeNext(AggregateTable table) {
    runs.merge(nextRun++, range, table);
  }

  /** Returns how many groups the runs have, those that are in several once for each. */
  long groupCount() {
    return runs.groupCount(range);
  }

  /** Returns the bytes of long strings and lists, about. */
  long stringBytes() {
    return runs.stringBytes(range);
  }
}
