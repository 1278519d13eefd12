package io.ariadne.operator;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.ToLongFunction;

/**
 * The runs of one thread of work. When they hold many more groups than when they were last merged
 * with each other, they are merged again, some partitions at a time: so they take memory by the
 * number and size of different groups, not of rows.
 *
 * <p>A merge takes every group once and comes when there are {@value #GROWTH} times as many as
 * after the last one, or their keys take as many times more, so all merges together take each row
 * less than once and a half. Partitions are by hash and alike: when the first ones merged show that
 * most groups are different ones, the others stay as they are.
 */
final class GroupRuns implements AutoCloseable {
  /** Full tables whose groups are kept before the first merge; two if they are large. */
  private static final int FIRST_RUNS = 32;

  private static final long LARGE = 1 << 21;

  /** How many times the keys of a full table are kept before the first merge. */
  private static final int FIRST_TABLES_OF_KEYS = 4;

  private static final int GROWTH = 4;

  /** Groups that a merge leaves of some at most when it pays, as a fraction. */
  private static final int PAYING_AFTER = 3;

  private static final int PAYING_BEFORE = 4;

  private final OperatorContext context;
  private final GroupLimits limits;
  private final long fewGroups;
  private final long fewBytes;
  private final List<GroupRun> runs = new ArrayList<>();
  private long groups;
  private long keyBytes;
  private long mostGroups;
  private long mostBytes;

  /**
   * Creates none.
   *
   * @param context tells when to stop
   * @param limits what a full table has
   */
  GroupRuns(OperatorContext context, GroupLimits limits) {
    this.context = context;
    this.limits = limits;
    long full = limits.groups();
    this.fewGroups = Math.max(2L * full, Math.min(FIRST_RUNS * full, LARGE));
    this.fewBytes = Math.min(limits.keyBytes(), Long.MAX_VALUE / GROWTH) * FIRST_TABLES_OF_KEYS;
    this.mostGroups = fewGroups;
    this.mostBytes = fewBytes;
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
    keyBytes += run.keyBytes(0, GroupPartitionKernel.PARTITIONS);
  }

  /**
   * Merges the runs with each other when there is much to gain.
   *
   * @param table an empty table, which is empty again afterwards
   */
  void mergeWhenMany(AggregateTable table) {
    if (groups < mostGroups && keyBytes < mostBytes) {
      return;
    }
    List<GroupRun> merged = new ArrayList<>();
    int parts = (int) Math.min(GroupPartitionKernel.PARTITIONS, limits.tablesFor(groups, keyBytes));
    try {
      for (int part = 0; part < parts; part++) {
        if (context.cancelled().getAsBoolean()) {
          throw new CancellationException("the operator was cancelled");
        }
        int first = boundary(part, parts);
        int end = boundary(part + 1, parts);
        merge(first, end, table, merged);
        if (part == 0 && !hasPaid(merged, first, end)) {
          merged.forEach(GroupRun::close);
          waitForMore();
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
    waitForMore();
  }

  /** Sets when the next merge comes. */
  private void waitForMore() {
    mostGroups = Math.max(fewGroups, GROWTH * groups);
    mostBytes = Math.max(fewBytes, GROWTH * keyBytes);
  }

  /** Returns whether few enough groups of some partitions are left, or bytes of their keys. */
  private boolean hasPaid(List<GroupRun> merged, int first, int end) {
    return isPaying(
            sum(runs, run -> run.groupCount(first, end)),
            sum(merged, run -> run.groupCount(first, end)))
        || isPaying(
            sum(runs, run -> run.keyBytes(first, end)),
            sum(merged, run -> run.keyBytes(first, end)));
  }

  private static boolean isPaying(long before, long after) {
    return after * PAYING_BEFORE <= before * PAYING_AFTER;
  }

  private static long sum(List<GroupRun> runs, ToLongFunction<GroupRun> value) {
    return runs.stream().mapToLong(value).sum();
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
    keyBytes = 0;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    runs.forEach(closer::close);
    runs.clear();
    groups = 0;
    keyBytes = 0;
    closer.rethrow();
  }
}
