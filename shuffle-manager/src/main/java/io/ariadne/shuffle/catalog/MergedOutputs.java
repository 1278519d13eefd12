package io.ariadne.shuffle.catalog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.memory.MemoryPool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Rows of map outputs, of this process or of others, that were copied into batches of many map
 * outputs. A part of {@link MapOutputs}. Thread-safe; owns the batches.
 */
final class MergedOutputs {
  @GuardedBy("this")
  private final Map<Integer, Shuffle> shuffles = new HashMap<>();

  @GuardedBy("this")
  private final Set<MergeRound> rounds = new HashSet<>();

  /** Guarded by the monitor of the {@link MergedOutputs}. */
  private static final class Shuffle {
    /** The first partition, and the one behind the last, by map attempt. */
    final Map<Long, int[]> partitions = new HashMap<>();

    /** In the order in which they were added. */
    final List<MergedBatch> batches = new ArrayList<>();

    /** The same, by the map attempts whose rows they have: peers ask for one at a time. */
    final Map<Long, List<MergedBatch>> byAttempt = new HashMap<>();

    void add(MergedBatch batch) {
      batches.add(batch);
      batch
          .mapIds()
          .forEach(id -> byAttempt.computeIfAbsent(id, key -> new ArrayList<>()).add(batch));
    }

    /** Forgets map attempts; returns the batches that no other one needs. */
    List<MergedBatch> forget(Collection<Long> mapIds) {
      partitions.keySet().removeAll(mapIds);
      Set<MergedBatch> touched = new HashSet<>();
      mapIds.forEach(id -> touched.addAll(byAttempt.getOrDefault(id, List.of())));
      byAttempt.keySet().removeAll(mapIds);
      touched.removeIf(this::needs);
      batches.removeAll(touched);
      return List.copyOf(touched);
    }

    /** Returns the batches that may have rows of map attempts. */
    List<MergedBatch> of(Set<Long> mapIds) {
      return mapIds.size() == 1
          ? byAttempt.getOrDefault(mapIds.iterator().next(), List.of())
          : batches;
    }

    boolean has(long mapId, int first, int end) {
      int[] known = partitions.get(mapId);
      return known != null && known[0] <= first && end <= known[1];
    }

    boolean needs(MergedBatch batch) {
      return batch.mapIds().stream().anyMatch(partitions::containsKey);
    }
  }

  synchronized void begin(MergeRound round) {
    rounds.add(round);
  }

  synchronized void end(MergeRound round) {
    rounds.remove(round);
  }

  /**
   * Makes the rows of a round known, all at once.
   *
   * @param batches ownership passes to this object if it returns true
   * @param mapIds attempts whose rows of the partitions are all in the batches
   * @param first the first partition
   * @param end behind the last partition
   * @return false when the shuffle was dropped since the round began
   */
  synchronized boolean commit(
      MergeRound round, List<MergedBatch> batches, Collection<Long> mapIds, int first, int end) {
    if (!rounds.contains(round)) {
      return false;
    }
    Shuffle shuffle = shuffles.computeIfAbsent(round.shuffleId(), id -> new Shuffle());
    if (mapIds.stream().anyMatch(shuffle.partitions::containsKey)) {
      throw new IllegalStateException("one of the map attempts " + mapIds + " is merged already");
    }
    mapIds.forEach(mapId -> shuffle.partitions.put(mapId, new int[] {first, end}));
    batches.forEach(shuffle::add);
    return true;
  }

  /** Returns the map attempts of which rows are here, by their shuffles. */
  synchronized Map<Integer, Set<Long>> attempts() {
    Map<Integer, Set<Long>> found = new HashMap<>();
    shuffles.forEach((id, shuffle) -> found.put(id, new HashSet<>(shuffle.partitions.keySet())));
    return found;
  }

  /** Returns whether the rows of consecutive partitions of a map attempt are here. */
  synchronized boolean has(int shuffleId, long mapId, int first, int end) {
    Shuffle shuffle = shuffles.get(shuffleId);
    return shuffle != null && shuffle.has(mapId, first, end);
  }

  /**
   * Opens the blocks of consecutive partitions.
   *
   * @param mapIds attempts whose blocks are read
   * @param pool for batches that are read back from disk
   * @return a reader that the caller closes; null when the rows of one are not here
   */
  MergedReader open(
      int shuffleId, Set<Long> mapIds, int first, int end, Supplier<MemoryPool> pool) {
    List<MergedBatch> wanted = new ArrayList<>();
    synchronized (this) {
      Shuffle shuffle = shuffles.get(shuffleId);
      if (shuffle == null || !mapIds.stream().allMatch(id -> shuffle.has(id, first, end))) {
        return null;
      }
      for (MergedBatch batch : shuffle.of(mapIds)) {
        if (batch.overlaps(first, end)) {
          batch.lease();
          wanted.add(batch);
        }
      }
    }
    return new MergedReader(
        wanted,
        segment ->
            segment.partition() >= first
                && segment.partition() < end
                && mapIds.contains(segment.mapId()),
        pool,
        damaged -> forget(shuffleId, damaged.mapIds()));
  }

  /** Forgets the rows of map attempts, known or not. Batches are freed with their last attempt. */
  void forget(int shuffleId, Collection<Long> mapIds) {
    List<MergedBatch> unneeded;
    synchronized (this) {
      Shuffle shuffle = shuffles.get(shuffleId);
      if (shuffle == null) {
        return;
      }
      unneeded = shuffle.forget(Set.copyOf(mapIds));
      if (shuffle.partitions.isEmpty()) {
        shuffles.remove(shuffleId);
      }
    }
    drop(unneeded);
  }

  /** Forgets a shuffle; rounds that have begun are discarded at their commit. */
  void drop(int shuffleId) {
    Shuffle shuffle;
    synchronized (this) {
      rounds.removeIf(round -> round.shuffleId() == shuffleId);
      shuffle = shuffles.remove(shuffleId);
    }
    if (shuffle != null) {
      drop(shuffle.batches);
    }
  }

  /** Forgets all shuffles. */
  void dropAll() {
    List<MergedBatch> unneeded = new ArrayList<>();
    synchronized (this) {
      rounds.clear();
      shuffles.values().forEach(shuffle -> unneeded.addAll(shuffle.batches));
      shuffles.clear();
    }
    drop(unneeded);
  }

  private static void drop(List<MergedBatch> batches) {
    Closer closer = new Closer();
    batches.forEach(batch -> closer.close(batch::drop));
    closer.rethrow();
  }
}
