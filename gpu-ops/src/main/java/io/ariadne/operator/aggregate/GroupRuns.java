package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.operator.OperatorContext;
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
 *
 * <p>When memory is scarce, runs are divided instead, before they leave it: the groups of few
 * partitions become runs of their own, so that whoever reads some partitions later reads nothing
 * else. The groups of runs that are divided are merged if that pays.
 */
final class GroupRuns implements AutoCloseable {
  /** Full tables whose groups are kept before the first merge; two if they are large. */
  private static final int FIRST_RUNS = 32;

  private static final long LARGE = 1 << 21;

  /** How many times the keys of a full table are kept before the first merge. */
  private static final int FIRST_TABLES_OF_KEYS = 4;

  private static final int GROWTH = 4;
  private static final int PARTITIONS = GroupPartitionKernel.PARTITIONS;

  /** Of the bytes that are divided during the input, what is not left undivided at its end. */
  private static final int LEAST_SHARE = 16;

  /** The part of memory from which on runs of all threads are divided at the end in any case. */
  private static final int LARGE_SHARE = 2;

  /** Groups that a merge leaves of some at most when it pays, as a fraction. */
  private static final int PAYING_AFTER = 3;

  private static final int PAYING_BEFORE = 4;

  private final OperatorContext context;
  private final GroupLimits limits;
  private final int level;
  private final long fewGroups;
  private final long fewBytes;
  private final List<GroupRun> runs = new ArrayList<>();

  /** Runs of few partitions each, merged with each other when they have many groups. */
  private final List<GroupRun> divided = new ArrayList<>();

  private long dividedGroups;
  private long mostDivided;

  private long bytes;
  private long groups;
  private long keyBytes;
  private long mostGroups;
  private long mostBytes;

  /**
   * Creates none.
   *
   * @param context tells when to stop
   * @param limits what a full table has
   * @param level by which bits of their hashes the groups are partitioned
   */
  GroupRuns(OperatorContext context, GroupLimits limits, int level) {
    this.context = context;
    this.limits = limits;
    this.level = level;
    long full = limits.groups();
    this.fewGroups = Math.max(2L * full, Math.min(FIRST_RUNS * full, LARGE));
    this.fewBytes = Math.min(limits.keyBytes(), Long.MAX_VALUE / GROWTH) * FIRST_TABLES_OF_KEYS;
    this.mostGroups = fewGroups;
    this.mostBytes = fewBytes;
  }

  boolean isEmpty() {
    return runs.isEmpty() && divided.isEmpty();
  }

  /** Takes ownership of a run. */
  void add(GroupRun run) {
    runs.add(run);
    groups += groupsOf(run);
    keyBytes += run.keyBytes(0, PARTITIONS);
    bytes += run.bytes();
  }

  /**
   * Merges the runs with each other when there is much to gain, or divides them when they may leave
   * memory.
   *
   * @param table an empty table, which is empty again afterwards
   */
  void mergeWhenMany(AggregateTable table) {
    if (bytes >= limits.runBytes() && mayLeaveMemory()) {
      divide(table);
      mergeDivided(table);
    } else if (groups >= mostGroups || keyBytes >= mostBytes) {
      int parts = (int) Math.min(PARTITIONS, limits.tablesFor(groups, keyBytes));
      List<GroupRun> merged = rearranged(runs, table, parts, false);
      if (merged != null) {
        forgetRuns();
        merged.forEach(this::add);
      }
      waitForMore();
    }
  }

  private boolean mayLeaveMemory() {
    return context.kernelSpill().isScarce() || !runs.stream().allMatch(GroupRun::isInMemory);
  }

  private void divide(AggregateTable table) {
    List<GroupRun> made = rearranged(runs, table, ranges(groups, keyBytes, bytes), true);
    forgetRuns();
    waitForMore();
    divided.addAll(made);
    dividedGroups = sum(divided, GroupRuns::groupsOf);
  }

  /** Returns into how many ranges so much is divided. */
  private int ranges(long groups, long keyBytes, long bytes) {
    return nested(Math.max(limits.tablesFor(groups, keyBytes), bytes / limits.dividedBytes()));
  }

  /** Merges what was divided before, so that it goes by different groups, too, not by rows. */
  private void mergeDivided(AggregateTable table) {
    long tables = limits.tablesFor(dividedGroups, 0) / 2;
    int parts = nested(Math.max(tables, limits.runBytes() / limits.dividedBytes()));
    mostDivided = Math.max(mostDivided, (long) parts * limits.groups() / 2);
    if (dividedGroups < mostDivided) {
      return;
    }
    List<GroupRun> merged = rearranged(divided, table, parts, false);
    if (merged != null) {
      divided.clear();
      divided.addAll(merged);
      dividedGroups = sum(divided, GroupRuns::groupsOf);
    }
    mostDivided = GROWTH * dividedGroups;
  }

  /** Returns a number of ranges whose boundaries are among those of any larger such number. */
  private static int nested(long parts) {
    return (int) Long.highestOneBit(Math.max(1, Math.min(PARTITIONS, parts)));
  }

  /**
   * Makes runs of few partitions each out of some, which are closed then.
   *
   * @param source the runs
   * @param table an empty table, which is empty again afterwards
   * @param parts into how many ranges partitions are divided
   * @param isNeeded whether that is done also when most groups are different ones
   * @return the new runs, owned by the caller; null when nothing was done
   */
  private List<GroupRun> rearranged(
      List<GroupRun> source, AggregateTable table, int parts, boolean isNeeded) {
    List<GroupRun> made = new ArrayList<>();
    boolean merges = true;
    try {
      for (int part = 0; part < parts; part++) {
        if (context.cancelled().getAsBoolean()) {
          throw new CancellationException("the operator was cancelled");
        }
        int first = boundary(part, parts);
        int end = boundary(part + 1, parts);
        takeIn(source, first, end, table, merges, made);
        if (part == 0) {
          merges = hasPaid(source, made, first, end);
        }
        if (!merges && !isNeeded) {
          made.forEach(GroupRun::close);
          return null;
        }
        closeThoseWithin(source, first, end);
      }
      closeThoseWithin(source, 0, PARTITIONS);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      made.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    return made;
  }

  /** Frees runs that have groups of some partitions only. */
  private static void closeThoseWithin(List<GroupRun> source, int first, int end) {
    for (GroupRun run : source) {
      if (run.groupCount(first, end) == groupsOf(run)) {
        run.close();
      }
    }
  }

  /** Sets when the next merge comes. */
  private void waitForMore() {
    mostGroups = Math.max(fewGroups, GROWTH * groups);
    mostBytes = Math.max(fewBytes, GROWTH * keyBytes);
  }

  /** Returns whether few enough groups of some partitions are left, or bytes of their keys. */
  private static boolean hasPaid(List<GroupRun> source, List<GroupRun> merged, int first, int end) {
    return isPaying(
            sum(source, run -> run.groupCount(first, end)),
            sum(merged, run -> run.groupCount(first, end)))
        || isPaying(
            sum(source, run -> run.keyBytes(first, end)),
            sum(merged, run -> run.keyBytes(first, end)));
  }

  private static boolean isPaying(long before, long after) {
    return after * PAYING_BEFORE <= before * PAYING_AFTER;
  }

  private static long sum(List<GroupRun> runs, ToLongFunction<GroupRun> value) {
    return runs.stream().mapToLong(value).sum();
  }

  private static int boundary(int part, int parts) {
    return PARTITIONS * part / parts;
  }

  /** Takes a range of partitions in; a table that is twice full becomes a run in between. */
  private void takeIn(
      List<GroupRun> source,
      int first,
      int end,
      AggregateTable table,
      boolean merges,
      List<GroupRun> target) {
    for (GroupRun run : source) {
      if (run.groupCount(first, end) > 0) {
        try (GroupRun.Reading reading = run.open()) {
          if (merges) {
            table.merge(reading, first, end);
          } else {
            table.append(reading, first, end);
          }
        }
        if (limits.areTwiceReachedBy(table)) {
          target.add(table.takeRun(level));
        }
      }
    }
    if (table.groupCount() > 0) {
      target.add(table.takeRun(level));
    }
  }

  private static int groupsOf(GroupRun run) {
    return run.groupCount(0, PARTITIONS);
  }

  /**
   * Divides the runs at the end of the input, if they may leave memory, have left it or are a good
   * part of it.
   *
   * @param table an empty table, which is empty again afterwards
   */
  void finish(AggregateTable table) {
    long large = context.kernelSpill().capacityInBytes() / LARGE_SHARE / context.threadCount();
    if (bytes > large || (bytes >= limits.runBytes() / LEAST_SHARE && mayLeaveMemory())) {
      divide(table);
    }
  }

  /**
   * Hands all runs over to the caller, those with the oldest rows first, after {@link #finish}.
   *
   * @param table an empty table, which is empty again afterwards
   */
  void takeAll(AggregateTable table, List<GroupRun> target) {
    finish(table);
    target.addAll(divided);
    target.addAll(runs);
    divided.clear();
    forgetRuns();
  }

  /**
   * Divides a run that is not one of these. When memory for that is refused it is as it was.
   *
   * @param run closed when it is divided
   * @param table an empty table, which is empty again unless this fails
   * @return runs of few partitions each, the caller's
   */
  List<GroupRun> divided(GroupRun run, AggregateTable table) {
    int ranges = ranges(groupsOf(run), run.keyBytes(0, PARTITIONS), run.bytes());
    return rearranged(List.of(run), table, ranges, true);
  }

  private void forgetRuns() {
    runs.clear();
    bytes = 0;
    groups = 0;
    keyBytes = 0;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    runs.forEach(closer::close);
    divided.forEach(closer::close);
    divided.clear();
    forgetRuns();
    closer.rethrow();
  }
}
