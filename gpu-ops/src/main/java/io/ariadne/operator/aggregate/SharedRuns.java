package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Runs that several threads merge, each a range of partitions at a time. A run is freed when no
 * range needs it any more. A spilled run that has groups of several ranges is repartitioned by the
 * first thread that needs it: so it is read back as a whole once instead of once for each range. A
 * thread that needs the run meanwhile repartitions another run. Thread-safe.
 */
final class SharedRuns implements AutoCloseable {
  private static final int PARTITIONS = GroupPartitionKernel.PARTITIONS;

  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final List<Source> sources = new ArrayList<>();
  private final int level;
  private final int ranges;

  /**
   * Takes ownership of runs.
   *
   * @param plan the aggregation
   * @param context where memory comes from
   * @param runs in the order in which they are merged
   * @param level which bits of the hashes partition the groups
   * @param ranges into how many ranges the partitions are divided
   */
  SharedRuns(
      HashAggregatePlan plan, OperatorContext context, List<GroupRun> runs, int level, int ranges) {
    this.plan = plan;
    this.context = context;
    this.level = level;
    this.ranges = ranges;
    runs.forEach(run -> sources.add(new Source(run)));
    sources.stream()
        .sorted(Comparator.comparingInt(source -> source.firstRange))
        .forEach(Source::prefetch);
  }

  /** Returns an upper bound of the bytes that the groups of runs take in tables. */
  static long bytes(List<GroupRun> runs, HashAggregatePlan plan) {
    long bytes = 0;
    for (GroupRun run : runs) {
      bytes += run.groupCount(0, PARTITIONS) * plan.bytesPerGroup();
      bytes += run.stringBytes(0, PARTITIONS);
    }
    return bytes;
  }

  int level() {
    return level;
  }

  int ranges() {
    return ranges;
  }

  int runCount() {
    return sources.size();
  }

  private int boundary(int range) {
    return PARTITIONS * range / ranges;
  }

  /**
   * Returns how many groups the runs have in a range; a group in several runs counts once for each.
   */
  long groupCount(int range) {
    return sources.stream().mapToLong(source -> source.groupCount(range)).sum();
  }

  /** Returns about how many bytes the long strings and lists of a range take. */
  long stringBytes(int range) {
    return sources.stream().mapToLong(source -> source.stringBytes(range)).sum();
  }

  /** Merges a run's groups of a range into a table. Called once for each range and run. */
  void merge(int run, int range, AggregateTable table) {
    Source source = sources.get(run);
    if (source.groupCount(range) > 0) {
      source.repartitionIfSpilled();
      open(run, range);
      source.merge(range, table);
    }
  }

  /** Waits until no thread repartitions a run; the caller then reads it. */
  private void open(int run, int range) {
    Source source = sources.get(run);
    for (int other = run + 1; other < sources.size(); other++) {
      if (source.tryOpen()) {
        return;
      }
      if (sources.get(other).groupCount(range) > 0) {
        sources.get(other).repartitionIfSpilled();
      }
    }
    source.awaitOpen();
  }

  /** A run, or the runs that it was repartitioned into. */
  private final class Source implements AutoCloseable {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final AtomicInteger readers = new AtomicInteger();

    /** Tells how many groups a range has; repartitioning does not change that. */
    private final GroupRun whole;

    private final int firstRange;
    private List<GroupRun> parts;

    Source(GroupRun run) {
      this.whole = run;
      this.parts = List.of(run);
      int first = ranges;
      for (int range = ranges - 1; range >= 0; range--) {
        if (groupCount(range) > 0) {
          readers.incrementAndGet();
          first = range;
        }
      }
      this.firstRange = first;
    }

    /** Asks for the run ahead of its use, unless it is to be repartitioned when it is read. */
    void prefetch() {
      if (!paysRepartitioning()) {
        whole.prefetch();
      }
    }

    private boolean paysRepartitioning() {
      return readers.get() > 1 && whole.bytes() >= 2 * plan.limits(context).dividedBytes();
    }

    int groupCount(int range) {
      return groupCount(whole, range);
    }

    private int groupCount(GroupRun part, int range) {
      return part.groupCount(boundary(range), boundary(range + 1));
    }

    long stringBytes(int range) {
      return whole.stringBytes(boundary(range), boundary(range + 1));
    }

    /** Starts reading unless a thread repartitions the run. */
    boolean tryOpen() {
      return lock.readLock().tryLock();
    }

    /** Starts reading when no thread repartitions the run any more. */
    void awaitOpen() {
      if (tryOpen()) {
        return;
      }
      String what = "another thread that repartitions a run";
      Wait wait = ThreadRecord.current().await(WaitKind.MOVE, what, whole.bytes(), null);
      try {
        lock.readLock().lock();
      } finally {
        wait.close();
      }
    }

    /**
     * Merges a range and ends the reading that was started before. The last reader is determined
     * before another thread may repartition the run.
     */
    void merge(int range, AggregateTable table) {
      boolean isLast;
      try {
        for (GroupRun part : parts) {
          if (groupCount(part, range) > 0) {
            try (GroupRun.Reading reading = part.open()) {
              table.merge(reading, boundary(range), boundary(range + 1));
            }
          }
        }
        isLast = readers.decrementAndGet() == 0;
      } finally {
        lock.readLock().unlock();
      }
      if (isLast) {
        close();
      }
    }

    /**
     * Repartitions the run if it was spilled and that pays. Does nothing while another thread reads
     * it: it is in memory then.
     */
    void repartitionIfSpilled() {
      if (!lock.writeLock().tryLock()) {
        return;
      }
      try {
        // A run that became a single part is repartitioned, too: that part is another run.
        if (parts.get(0) == whole && paysRepartitioning() && !whole.isInMemory()) {
          parts = divided(whole);
        }
      } finally {
        lock.writeLock().unlock();
      }
    }

    private List<GroupRun> divided(GroupRun whole) {
      try (AggregateTable table = new AggregateTable(plan, context);
          GroupRuns runs = new GroupRuns(context, plan.limits(context), level)) {
        return runs.divided(whole, table);
      }
    }

    @Override
    public void close() {
      Closer closer = new Closer();
      parts.forEach(closer::close);
      closer.rethrow();
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    sources.forEach(closer::close);
    closer.rethrow();
  }
}
