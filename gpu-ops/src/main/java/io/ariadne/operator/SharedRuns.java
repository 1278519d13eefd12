package io.ariadne.operator;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Runs whose partitions are merged range by range, by several threads. A run is freed when no range
 * needs it any more. One that has left memory and has groups of several ranges is divided by the
 * first who needs it, so that it is read back as a whole once, not by each range. Thread-safe.
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
   * @param runs in the order in which they are merged
   * @param level by which bits of their hashes the groups are partitioned
   * @param ranges into how many ranges the partitions are divided
   */
  SharedRuns(
      HashAggregatePlan plan, OperatorContext context, List<GroupRun> runs, int level, int ranges) {
    this.plan = plan;
    this.context = context;
    this.level = level;
    this.ranges = ranges;
    runs.forEach(run -> sources.add(new Source(run)));
  }

  /** Returns the bytes that the groups of runs take in tables at most. */
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

  /** Returns how many groups the runs have of a range, those that are in several once for each. */
  long groupCount(int range) {
    return sources.stream().mapToLong(source -> source.groupCount(range)).sum();
  }

  /** Returns the bytes of long strings and lists of a range, about. */
  long stringBytes(int range) {
    return sources.stream().mapToLong(source -> source.stringBytes(range)).sum();
  }

  /** Merges a run's groups of a range into a table; called once for each range and run. */
  void merge(int run, int range, AggregateTable table) {
    sources.get(run).merge(range, table);
  }

  /** A run, or what it was divided into. */
  private final class Source implements AutoCloseable {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final AtomicInteger readers = new AtomicInteger();
    private List<GroupRun> parts;

    Source(GroupRun run) {
      this.parts = List.of(run);
      for (int range = 0; range < ranges; range++) {
        if (groupCount(range) > 0) {
          readers.incrementAndGet();
        }
      }
    }

    long groupCount(int range) {
      lock.readLock().lock();
      try {
        return parts.stream().mapToLong(part -> groupCount(part, range)).sum();
      } finally {
        lock.readLock().unlock();
      }
    }

    private int groupCount(GroupRun part, int range) {
      return part.groupCount(boundary(range), boundary(range + 1));
    }

    long stringBytes(int range) {
      lock.readLock().lock();
      try {
        return parts.stream()
            .mapToLong(part -> part.stringBytes(boundary(range), boundary(range + 1)))
            .sum();
      } finally {
        lock.readLock().unlock();
      }
    }

    void merge(int range, AggregateTable table) {
      if (groupCount(range) == 0) {
        return;
      }
      divideIfElsewhere(range);
      lock.readLock().lock();
      try {
        for (GroupRun part : parts) {
          if (groupCount(part, range) > 0) {
            try (GroupRun.Reading reading = part.open()) {
              table.merge(reading, boundary(range), boundary(range + 1));
            }
          }
        }
      } finally {
        lock.readLock().unlock();
      }
      if (readers.decrementAndGet() == 0) {
        close();
      }
    }

    /** Does nothing while others read the run: it is in memory then. */
    private void divideIfElsewhere(int range) {
      if (!lock.writeLock().tryLock()) {
        return;
      }
      try {
        GroupRun whole = parts.get(0);
        boolean isShared = whole.groupCount(0, PARTITIONS) > groupCount(whole, range);
        if (parts.size() == 1
            && isShared
            && whole.bytes() >= 2 * plan.limits(context).dividedBytes()
            && !whole.isInMemory()) {
          parts = divided(whole);
        }
      } finally {
        lock.writeLock().unlock();
      }
    }

    private List<GroupRun> divided(GroupRun whole) {
      try (AggregateTable table = new AggregateTable(plan, context);
          GroupRuns runs = new GroupRuns(context, plan.limits(context), level)) {
        List<GroupRun> made = new ArrayList<>();
        runs.add(whole);
        runs.takeDivided(table, made);
        return made;
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
