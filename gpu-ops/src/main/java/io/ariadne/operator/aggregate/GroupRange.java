package io.ariadne.operator.aggregate;

/** A range of partitions of runs that is being merged, the oldest run first. */
final class GroupRange {
  private final SharedRuns runs;
  private final int range;
  private int nextRun;

  /**
   * Creates a range of which nothing is merged yet.
   *
   * @param runs not owned
   * @param range its number among the ranges of the runs
   */
  GroupRange(SharedRuns runs, int range) {
    this.runs = runs;
    this.range = range;
  }

  /** Returns which bits of the hashes partition the runs. */
  int level() {
    return runs.level();
  }

  /** Returns whether all runs are merged. */
  boolean isMerged() {
    return nextRun == runs.runCount();
  }

  /** Merges the next run's groups of this range into a table. */
  void mergeNext(AggregateTable table) {
    runs.merge(nextRun++, range, table);
  }

  /**
   * Returns how many groups the runs have in this range; a group in several runs counts once for
   * each.
   */
  long groupCount() {
    return runs.groupCount(range);
  }

  /** Returns about how many bytes long strings and lists take. */
  long stringBytes() {
    return runs.stringBytes(range);
  }
}
