package io.ariadne.operator;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * The runs of one thread of work. When they hold many more groups than when they were last merged
 * with each other, they are merged again, some partitions at a time: so they take memory by the
 * number of different groups, not of rows.
 *
 * <p>A merge takes every group once and comes when there are {@value #GROWTH} times as many as
 * after the last one, so all merges together take each row less than once and a half. Partitions
 * are by hash and alike: when the first ones merged show that most groups are different ones, the
 * others stay as they are.
 */
final class GroupRuns implements AutoCloseable {
  /** Full tables whose groups are kept before the first merge; two if they are large. */
  private static final int FIRST_RUNS = 32;

  private static final long LARGE = 1 << 21;

  private static final int GROWTH = 4;

  /** Groups that a merge leaves of some at most when it pays, as a fraction. */
  private static final int PAYING_AFTER = 3;

  private static final int PAYING_BEFORE = 4;

  private final OperatorContext context;
  private final int maxGroups;
  private final long fewGroups;
  private final List<GroupRun> runs = new ArrayList<>();
  private long groups;
  private long mostGroups;

  /**
   * Creates none.
   *
   * @param context tells when to stop
   * @param maxGroups groups of a full table
   */
  GroupRuns(OperatorContext context, int maxGroups) {
    this.context = context;
    this.maxGroups = maxGroups;
    this.fewGroups = Math.max(2L * maxGroups, Math.min((long) FIRST_RUNS * maxGroups, LARGE));
    this.mostGroups = fewGroups;
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  /** Returns the groups of all runs; the same one counts in each. */
  long groupCount() {
    return groups;
  }

  /** Takes ownership of a run. */
  void add(GroupRun run) {
    runs.add(run);
    groups += groupsOf(run);
  }

  /**
   * Merges the runs with each other when there is much to gain.
   *
   * @param table an empty table, which is empty again afterwards
   */
  void mergeWhenMany(AggregateTable table) {
    if (groups < mostGroups) {
      return;
    }
    List<GroupRun> merged = new ArrayList<>();
    int parts = (int) Math.min(GroupPartitionKernel.PARTITIONS, Math.max(1, groups / maxGroups));
    try {
      for (int part = 0; part < parts; part++) {
        if (context.cancelled().getAsBoolean()) {
          throw new CancellationException("the operator was cancelled");
        }
        int first = boundary(part, parts);
        int end = boundary(part + 1, parts);
        merge(first, end, table, merged);
        if (part == 0 && !hasPaid(groupsOf(runs, first, end), groupsOf(merged, first, end))) {
          merged.forEach(GroupRun::close);
          mostGroups = GROWTH * groups;
          return;
        }
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      merged.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    close();
    merged.forEach(this::add);
    mostGroups = Math.max(fewGroups, GROWTH * groups);
  }

  private static boolean hasPaid(long groupsBefore, long groupsAfter) {
    return groupsAfter * PAYING_BEFORE <= groupsBefore * PAYING_AFTER;
  }

  private static long groupsOf(List<GroupRun> runs, int first, int end) {
    return runs.stream().mapToLong(run -> run.groupCount(first, end)).sum();
  }

  private static int boundary(int part, int parts) {
    return GroupPartitionKernel.PARTITIONS * part / parts;
  }

  private void merge(int first, int end, AggregateTable table, List<GroupRun> target) {
    for (GroupRun run : runs) {
      if (run.groupCount(first, end) > 0) {
        table.merge(run.groups(first, end), run.records());
      }
    }
    if (table.groupCount() > 0) {
      target.add(table.takeRun());
    }
  }

  private static int groupsOf(GroupRun run) {
    return run.groupCount(0, GroupPartitionKernel.PARTITIONS);
  }

  /** Hands all runs over to the caller. */
  void takeAll(List<GroupRun> target) {
    target.addAll(runs);
    runs.clear();
    groups = 0;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    runs.forEach(closer::close);
    runs.clear();
    groups = 0;
    closer.rethrow();
  }
}
