package io.ariadne.shuffle.strategy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What the merger of a process has to do, and what it has done of each shuffle. Thread-safe. */
final class MergeQueue {
  /** Bytes that a round has for each partition, so that one read gets many of them. */
  private static final long BYTES_PER_PARTITION = 512 << 10;

  private static final long MIN_ROUND_BYTES = 8 << 20;
  private static final long MAX_ROUND_BYTES = 64 << 20;

  /** The part of memory that a round may have. */
  private static final int ROUND_SHARE = 16;

  /** How long rows of other executors wait for more, for a larger round. */
  private static final long MAX_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Jobs of a shuffle, and notices, that would take more heap are ignored. */
  private static final long MAX_QUEUED_BYTES = 32 << 20;

  private final long maxRoundBytes;

  @GuardedBy("this")
  private final Map<Integer, Shuffle> shuffles = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Deque<OutputNotice> notices = new ArrayDeque<>();

  @GuardedBy("this")
  private long noticeBytes;

  @GuardedBy("this")
  private boolean isClosed;

  /** What is known of a shuffle; guarded by the monitor of the queue. */
  private static final class Shuffle {
    final JobQueue jobs = new JobQueue();
    final Map<String, Set<Long>> announced = new HashMap<>();
    StrategyPlan plan;
    long mergedBytes;
    int rounds;
    long tooLongBytes;
    boolean isRead;

    Summary summary() {
      return new Summary(plan, mergedBytes, rounds, tooLongBytes, announced);
    }
  }

  /**
   * What was done with a shuffle that is dropped.
   *
   * @param plan why rows of this executor were copied; null for those of other executors only
   * @param mergedBytes bytes of blocks that were merged here
   * @param rounds in so many rounds
   * @param tooLongBytes bytes that were not merged, because a map output had too many of them
   * @param announced map attempts of this executor that others know of, by their owner
   */
  record Summary(
      StrategyPlan plan,
      long mergedBytes,
      int rounds,
      long tooLongBytes,
      Map<String, Set<Long>> announced) {
    /** Returns why rows were merged, for people. */
    String reason() {
      return plan == null ? "of other executors" : plan.toString();
    }
  }

  /**
   * The next thing to do: exactly one of them.
   *
   * @param notice to obey; else null
   * @param round jobs to do together; else empty
   */
  record Step(OutputNotice notice, List<MergeJob> round) {}

  /**
   * Creates an empty queue.
   *
   * @param memoryBytes memory of the process
   */
  MergeQueue(long memoryBytes) {
    this.maxRoundBytes = Math.min(MAX_ROUND_BYTES, memoryBytes / ROUND_SHARE);
  }

  /** Remembers why map outputs of this executor are copied. */
  synchronized void plan(StrategyPlan plan, int shuffleId) {
    shuffles.computeIfAbsent(shuffleId, id -> new Shuffle()).plan = plan;
  }

  /** Remembers that an owner knows of a map attempt of this executor. */
  synchronized void announce(String owner, int shuffleId, long mapId) {
    shuffles
        .computeIfAbsent(shuffleId, id -> new Shuffle())
        .announced
        .computeIfAbsent(owner, id -> new LinkedHashSet<>())
        .add(mapId);
  }

  /** Returns those of some map attempts whose rows were to move to an owner. */
  synchronized List<Long> movedTo(String owner, int shuffleId, List<Long> mapIds) {
    Shuffle shuffle = shuffles.get(shuffleId);
    boolean areMoved =
        shuffle != null && shuffle.plan != null && shuffle.plan.strategy().dropsOutputs();
    Set<Long> announced = areMoved ? shuffle.announced.getOrDefault(owner, Set.of()) : Set.of();
    return mapIds.stream().filter(announced::contains).toList();
  }

  /** Adds a job, unless its rows are too many to be in memory at once besides others. */
  synchronized void add(MergeJob job) {
    Shuffle shuffle = shuffles.computeIfAbsent(job.shuffleId(), id -> new Shuffle());
    if (job.bytes() > maxRoundBytes) {
      shuffle.tooLongBytes += job.bytes();
      return;
    }
    boolean fits = shuffle.jobs.heapBytes() + job.heapBytes() <= MAX_QUEUED_BYTES;
    if (!isClosed && !shuffle.isRead && fits) {
      shuffle.jobs.add(job);
      notifyAll();
    }
  }

  synchronized void add(OutputNotice notice) {
    if (!isClosed && noticeBytes + notice.encodedBytes() <= MAX_QUEUED_BYTES) {
      notices.add(notice);
      noticeBytes += notice.encodedBytes();
      notifyAll();
    }
  }

  /** Removes the jobs of a shuffle, and ignores later ones. */
  synchronized void read(int shuffleId) {
    Shuffle shuffle = shuffles.get(shuffleId);
    if (shuffle != null) {
      shuffle.isRead = true;
      shuffle.jobs.removeIf(job -> true);
    }
  }

  /** Removes the jobs of an executor that does not answer. */
  synchronized void removeOf(String executor) {
    for (Shuffle shuffle : shuffles.values()) {
      shuffle.jobs.removeIf(job -> executor.equals(job.executor()));
    }
  }

  /** Removes jobs of other executors, which no longer have these map attempts. */
  synchronized void forget(int shuffleId, Collection<Long> mapIds) {
    Shuffle shuffle = shuffles.get(shuffleId);
    if (shuffle != null) {
      Set<Long> forgotten = new HashSet<>(mapIds);
      shuffle.jobs.removeIf(job -> !job.isOwn() && forgotten.contains(job.mapId()));
      if (shuffle.plan == null && shuffle.jobs.isEmpty()) {
        shuffles.remove(shuffleId);
      }
    }
  }

  /**
   * Counts what a round has merged.
   *
   * @return all that was done with the shuffle; null when it was dropped meanwhile
   */
  synchronized Summary merged(int shuffleId, long bytes) {
    Shuffle shuffle = shuffles.get(shuffleId);
    if (shuffle == null) {
      return null;
    }
    shuffle.mergedBytes += bytes;
    shuffle.rounds++;
    return shuffle.summary();
  }

  /** Forgets a shuffle; returns null when nothing is known of it. */
  synchronized Summary drop(int shuffleId) {
    Shuffle shuffle = shuffles.remove(shuffleId);
    return shuffle == null ? null : shuffle.summary();
  }

  /** Forgets all shuffles. */
  synchronized Map<Integer, Summary> dropAll() {
    Map<Integer, Summary> all = new LinkedHashMap<>();
    shuffles.forEach((id, shuffle) -> all.put(id, shuffle.summary()));
    shuffles.clear();
    return all;
  }

  /** Waits for what is to be done; null when this is closed. */
  synchronized Step next() throws InterruptedException {
    while (!isClosed) {
      OutputNotice notice = notices.poll();
      if (notice != null) {
        noticeBytes -= notice.encodedBytes();
        return new Step(notice, List.of());
      }
      boolean isWaiting = false;
      for (Shuffle shuffle : shuffles.values()) {
        List<MergeJob> round = nextRound(shuffle);
        if (!round.isEmpty()) {
          return new Step(null, round);
        }
        isWaiting |= shuffle.jobs.hasOfOthers();
      }
      if (isWaiting) {
        TimeUnit.NANOSECONDS.timedWait(this, MAX_DELAY_NANOS);
      } else {
        wait();
      }
    }
    return null;
  }

  /** Takes the jobs of a round; empty when they are too few yet. */
  @GuardedBy("this")
  private List<MergeJob> nextRound(Shuffle shuffle) {
    MergeJob first = shuffle.jobs.first();
    if (first == null) {
      return List.of();
    }
    long wanted = roundBytes(first.end() - first.first());
    List<MergeJob> round = shuffle.jobs.firstOf(wanted);
    boolean isAll = round.size() == shuffle.jobs.size();
    if (isAll && !isLate(round) && round.stream().mapToLong(MergeJob::bytes).sum() < wanted) {
      return List.of();
    }
    shuffle.jobs.removeFirst(round.size());
    return round;
  }

  private static boolean isLate(List<MergeJob> round) {
    long now = System.nanoTime();
    return round.stream()
        .anyMatch(job -> !job.isOwn() && now - job.arrivedNanos() > MAX_DELAY_NANOS);
  }

  private long roundBytes(int partitions) {
    return Math.min(maxRoundBytes, Math.max(MIN_ROUND_BYTES, BYTES_PER_PARTITION * partitions));
  }

  /** Ends waits. Idempotent. */
  synchronized void close() {
    isClosed = true;
    notifyAll();
  }
}
