package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.ToLongFunction;

/**
 * The runs of one pipeline driver. When they have many more groups than after the last merge, they
 * are merged again, some partitions at a time. So their memory depends on the number and size of
 * distinct groups, not on the number of rows.
 *
 * <p>A merge reads every group once. It happens when there are {@value #GROWTH} times as many
 * groups as after the last merge, or as many times the bytes of keys. So all merges together read
 * each row less than one and a half times. Partitions are by hash and alike: when the first
 * partitions show that most groups are distinct, the merge stops and the runs stay as they are.
 *
 * <p>When memory is scarce, runs are repartitioned before they are spilled: the groups of few
 * partitions become a run of their own, so that a reader of some partitions reads nothing else.
 * Groups of these runs are merged with each other if that pays.
 */
final class GroupRuns implements AutoCloseable {
  /** The first merge happens after so many full tables, or after two when tables are large. */
  private static final int FIRST_RUNS = 32;

  private static final long LARGE = 1 << 21;

  /**
   * The first merge happens at the latest when keys take so many times the bytes of a full table's
   * keys.
   */
  private static final int FIRST_TABLES_OF_KEYS = 4;

  private static final int GROWTH = 4;
  private static final int PARTITIONS = GroupPartitionKernel.PARTITIONS;

  /**
   * At the end of the input, runs of at least one of this many equal parts of {@code runBytes} are
   * repartitioned when they may be spilled.
   */
  private static final int MIN_SHARE = 16;

  /**
   * When the runs of all threads take more than one of this many equal parts of the memory, they
   * are repartitioned at the end of the input in any case.
   */
  private static final int LARGE_SHARE = 2;

  /** A merge pays when it leaves at most {@code PAYING_AFTER / PAYING_BEFORE} of the groups. */
  private static final int PAYING_AFTER = 3;

  private static final int PAYING_BEFORE = 4;

  private final OperatorContext context;
  private final GroupLimits limits;
  private final int level;
  private final long minGroups;
  private final long minBytes;
  private final List<GroupRun> runs = new ArrayList<>();

  /** Runs of few partitions each; merged with each other when they have many groups. */
  private final List<GroupRun> divided = new ArrayList<>();

  private long dividedGroups;
  private long maxDividedGroups;

  private long bytes;
  private long groups;
  private long keyBytes;
  private long maxGroups;
  private long maxBytes;

  /**
   * Creates an empty list of runs.
   *
   * @param context tells when to stop
   * @param limits the limits of a table
   * @param level which bits of the hashes partition the groups
   */
  GroupRuns(OperatorContext context, GroupLimits limits, int level) {
    this.context = context;
    this.limits = limits;
    this.level = level;
    long full = limits.groups();
    this.minGroups = Math.max(2L * full, Math.min(FIRST_RUNS * full, LARGE));
    this.minBytes = Math.min(limits.keyBytes(), Long.MAX_VALUE / GROWTH) * FIRST_TABLES_OF_KEYS;
    this.maxGroups = minGroups;
    this.maxBytes = minBytes;
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
   * Merges the runs with each other when that pays, or repartitions them when they may be spilled.
   *
   * @param table an empty table; empty again afterwards
   */
  void mergeWhenMany(AggregateTable table) {
    if (bytes >= limits.runBytes() && mayBeSpilled()) {
      divide(table);
      mergeDivided(table);
    } else if (groups >= maxGroups || keyBytes >= maxBytes) {
      int parts = (int) Math.min(PARTITIONS, limits.tablesFor(groups, keyBytes));
      List<GroupRun> merged = repartitioned(runs, table, parts, false);
      if (merged != null) {
        forgetRuns();
        merged.forEach(this::add);
      }
      planNextMerge();
    }
  }

  private boolean mayBeSpilled() {
    return context.kernelSpill().isScarce() || !runs.stream().allMatch(GroupRun::isInMemory);
  }

  private void divide(AggregateTable table) {
    List<GroupRun> made = repartitioned(runs, table, ranges(groups, keyBytes, bytes), true);
    forgetRuns();
    planNextMerge();
    divided.addAll(made);
    dividedGroups = sum(divided, GroupRuns::groupsOf);
  }

  /** Returns into how many ranges so many groups and bytes are divided. */
  private int ranges(long groups, long keyBytes, long bytes) {
    return powerOfTwo(Math.max(limits.tablesFor(groups, keyBytes), bytes / limits.dividedBytes()));
  }

  /**
   * Merges runs that were repartitioned before, so that their memory depends on distinct groups,
   * too.
   */
  private void mergeDivided(AggregateTable table) {
    long tables = limits.tablesFor(dividedGroups, 0) / 2;
    int parts = powerOfTwo(Math.max(tables, limits.runBytes() / limits.dividedBytes()));
    maxDividedGroups = Math.max(maxDividedGroups, (long) parts * limits.groups() / 2);
    if (dividedGroups < maxDividedGroups) {
      return;
    }
    List<GroupRun> merged = repartitioned(divided, table, parts, false);
    if (merged != null) {
      divided.clear();
      divided.addAll(merged);
      dividedGroups = sum(divided, GroupRuns::groupsOf);
    }
    maxDividedGroups = GROWTH * dividedGroups;
  }

  /**
   * Returns a number of ranges whose boundaries are also boundaries of every larger such number.
   */
  private static int powerOfTwo(long parts) {
    return (int) Long.highestOneBit(Math.max(1, Math.min(PARTITIONS, parts)));
  }

  /**
   * Makes runs of few partitions each from other runs and closes those.
   *
   * @param source the runs
   * @param table an empty table; empty again afterwards
   * @param parts into how many ranges the partitions are divided
   * @param isNeeded whether to continue when most groups turn out to be distinct
   * @return the new runs, owned by the caller; null when the runs were left as they are
   */
  private List<GroupRun> repartitioned(
      List<GroupRun> source, AggregateTable table, int parts, boolean isNeeded) {
    List<GroupRun> made = new ArrayList<>();
    boolean merges = true;
    if (isNeeded) {
      source.forEach(GroupRun::prefetch);
    }
    try {
      for (int part = 0; part < parts; part++) {
        if (context.cancelled().getAsBoolean()) {
          throw new CancellationException("the operator was cancelled");
        }
        int first = boundary(part, parts);
        int end = boundary(part + 1, parts);
        addPartitions(source, first, end, table, merges, made);
        if (part == 0) {
          merges = hasPaid(source, made, first, end);
        }
        if (!merges && !isNeeded) {
          made.forEach(GroupRun::close);
          return null;
        }
        if (part == 0 && !isNeeded) {
          // Not before: runs that stay as they are would take the memory of others.
          source.forEach(GroupRun::prefetch);
        }
        closeRunsWithin(source, first, end);
      }
      closeRunsWithin(source, 0, PARTITIONS);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      made.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    return made;
  }

  /** Closes runs that have groups of this range of partitions only. */
  private static void closeRunsWithin(List<GroupRun> source, int first, int end) {
    for (GroupRun run : source) {
      if (run.groupCount(first, end) == groupsOf(run)) {
        run.close();
      }
    }
  }

  /** Sets the sizes at which the next merge happens. */
  private void planNextMerge() {
    maxGroups = Math.max(minGroups, GROWTH * groups);
    maxBytes = Math.max(minBytes, GROWTH * keyBytes);
  }

  /**
   * Returns whether a merge has left few enough groups of a range of partitions, or bytes of their
   * keys.
   */
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

  /**
   * Adds the groups of a range of partitions to the table, and moves them to new runs: at the end,
   * and whenever the table has reached twice its limits.
   */
  private void addPartitions(
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
   * Repartitions the runs at the end of the input if they may be spilled, were spilled or take a
   * large part of the memory.
   *
   * @param table an empty table; empty again afterwards
   */
  void finish(AggregateTable table) {
    long large = context.kernelSpill().capacityInBytes() / LARGE_SHARE / context.threadCount();
    if (bytes > large || (bytes >= limits.runBytes() / MIN_SHARE && mayBeSpilled())) {
      divide(table);
    }
  }

  /**
   * Moves all runs to the caller, the ones with the oldest rows first, after {@link #finish}.
   *
   * @param table an empty table; empty again afterwards
   * @param target takes the runs
   */
  void takeAll(AggregateTable table, List<GroupRun> target) {
    finish(table);
    target.addAll(divided);
    target.addAll(runs);
    divided.clear();
    forgetRuns();
  }

  /**
   * Repartitions a run that is not in this list. When this is refused memory, the run is unchanged.
   *
   * @param run closed when it was repartitioned
   * @param table an empty table; empty again unless this throws
   * @return runs of few partitions each, owned by the caller
   */
  List<GroupRun> divided(GroupRun run, AggregateTable table) {
    int ranges = ranges(groupsOf(run), run.keyBytes(0, PARTITIONS), run.bytes());
    return repartitioned(List.of(run), table, ranges, true);
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
