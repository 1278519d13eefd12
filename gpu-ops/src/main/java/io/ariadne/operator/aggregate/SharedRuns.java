package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Runs whose partitions are merged range by range, by several threads. A run is freed when no range
 * needs it any more. One that has left memory and has groups of several ranges is divided by the
 * first who needs it, so that it is read back as a whole once, not by each range; who needs it
 * meanwhile divides another one. Thread-safe.
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
    Source source = sources.get(run);
    if (source.groupCount(range) > 0) {
      source.divideIfElsewhere();
      open(run, range);
      source.merge(range, table);
    }
  }

  /** Waits until nobody divides a run, which the caller reads from then on. */
  private void open(int run, int range) {
    Source source = sources.get(run);
    for (int other = run + 1; other < sources.size(); other++) {
      if (source.tryOpen()) {
        return;
      }
      if (sources.get(other).groupCount(range) > 0) {
        sources.get(other).divideIfElsewhere();
      }
    }
    source.awaitOpen();
  }

  /** A run, or what it was divided into. */
  private final class Source implements AutoCloseable {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final AtomicInteger readers = new AtomicInteger();

    /** Tells how many groups there are of a range, which dividing leaves as it is. */
    private final GroupRun whole;

    private List<GroupRun> parts;

    Source(GroupRun run) {
      this.whole = run;
      this.parts = List.of(run);
      for (int range = 0; range < ranges; range++) {
        if (groupCount(range) > 0) {
          readers.incrementAndGet();
        }
      }
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

    /** Begins to read unless somebody divides the run. */
    boolean tryOpen() {
      return lock.readLock().tryLock();
    }

    /** Begins to read when nobody divides the run any more. */
    void awaitOpen() {
      if (tryOpen()) {
        return;
      }
      String what = "another thread that divides a run";
      Wait wait = ThreadRecord.current().await(WaitKind.MOVE, what, whole.bytes(), null);
      try {
        lock.readLock().lock();
      } finally {
        wait.close();
      }
    }

    /**
     * Merges a range after the reading has begun, which ends then. Who is the last is known before
     * others may divide the run again.
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

    /** Divides the run if that pays; not while others read it: it is in memory then. */
    void divideIfElsewhere() {
      if (!lock.writeLock().tryLock()) {
        return;
      }
      try {
        // Divided into one part it is divided all the same.
        if (parts.get(0) == whole
            && readers.get() > 1
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
