package io.ariadne.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The queue of {@link PlanOrderEviction}: a tree of batches, sorted by placement and size. Choosing
 * a victim among {@code n} batches takes O(log n).
 *
 * <p>The tree has snapshots of sizes and placements, which change without notice. They are renewed
 * at these times:
 *
 * <ul>
 *   <li>Size, and a placement whose use only comes nearer: when the batch comes first. Such a batch
 *       can only be too early in the order, so it is found in time. The size of a batch grows when
 *       another owner of its string heaps releases them; until then another batch may be chosen in
 *       its place.
 *   <li>Other placements: all at each choice. They are those of in-flight batches, whose number has
 *       a limit.
 * </ul>
 */
final class PlanOrderQueue implements EvictionQueue {
  private static final Comparator<Entry> EVICTION_ORDER =
      Comparator.comparing((Entry entry) -> entry.isActive)
          .thenComparing(entry -> entry.distance, Comparator.reverseOrder())
          .thenComparingLong(entry -> entry.bytes)
          .thenComparingLong(entry -> entry.number);

  @GuardedBy("this")
  private final Map<SpillableBatch, Entry> entries = new HashMap<>();

  /** Entries of batches with bytes to free; keys change only outside of the tree. */
  @GuardedBy("this")
  private final NavigableSet<Entry> ordered = new TreeSet<>(EVICTION_ORDER);

  /** Entries of idle batches without bytes to free: other batches share all their memory. */
  @GuardedBy("this")
  private final Set<Entry> empty = new HashSet<>();

  /** Entries whose placement may change in any way. */
  @GuardedBy("this")
  private final Set<Entry> unsteady = new HashSet<>();

  @GuardedBy("this")
  private long nextNumber;

  /** The number of the current or latest choice. */
  @GuardedBy("this")
  private long choice;

  /** A batch and its sort key. */
  private static final class Entry {
    final SpillableBatch batch;
    final long number;
    boolean isActive;
    int distance;
    long bytes;

    /** The latest choice that has renewed the key. */
    long renewedAt;

    Entry(SpillableBatch batch, long number) {
      this.batch = batch;
      this.number = number;
    }

    /** Creates the bound of a search: where the entries of a placement with such a size begin. */
    static Entry bound(Entry placed, long bytes) {
      Entry bound = new Entry(null, -1);
      bound.isActive = placed.isActive;
      bound.distance = placed.distance;
      bound.bytes = bytes;
      return bound;
    }

    boolean hasPlacementOf(Entry other) {
      return isActive == other.isActive && distance == other.distance;
    }

    boolean isNear() {
      return isActive && distance <= SpillPlacement.NEAR;
    }
  }

  @Override
  public synchronized void add(SpillableBatch batch) {
    Entry entry = entries.get(batch);
    if (entry == null) {
      entry = new Entry(batch, nextNumber++);
      entries.put(batch, entry);
      if (!batch.placement().onlyComesNearer()) {
        unsteady.add(entry);
      }
    }
    renew(entry);
  }

  @Override
  public synchronized void remove(SpillableBatch batch) {
    Entry entry = entries.remove(batch);
    if (entry != null) {
      ordered.remove(entry);
      empty.remove(entry);
      unsteady.remove(entry);
    }
  }

  /** Returns the number of batches in the queue, for tests. */
  synchronized int size() {
    return entries.size();
  }

  @Override
  public synchronized List<SpillableBatch> chooseVictims(long bytesWanted, boolean takesNear) {
    choice++;
    renewAll(unsteady);
    List<Entry> chosen = new ArrayList<>();
    try {
      long missing = choose(bytesWanted, takesNear, chosen);
      if (missing > 0 && renewEmpty()) {
        choose(missing, takesNear, chosen);
      }
      return chosen.stream().map(entry -> entry.batch).toList();
    } finally {
      ordered.addAll(chosen);
    }
  }

  /**
   * Moves entries from the tree to a list until they suffice.
   *
   * @return bytes that are still missing
   */
  @GuardedBy("this")
  private long choose(long bytesWanted, boolean takesNear, List<Entry> chosen) {
    long missing = bytesWanted;
    for (Entry next = first(missing, takesNear); next != null; next = first(missing, takesNear)) {
      if (next.renewedAt == choice || !renew(next)) {
        // The list first: an entry that is in both is in the tree afterwards.
        chosen.add(next);
        ordered.remove(next);
        missing -= next.bytes;
      }
    }
    return missing;
  }

  /** Returns the entry that goes first when so many bytes are missing, or null for none. */
  @GuardedBy("this")
  private Entry first(long missing, boolean takesNear) {
    if (missing <= 0 || ordered.isEmpty()) {
      return null;
    }
    Entry first = ordered.first();
    if (first.isNear() && !takesNear) {
      return null;
    }
    Entry covers = ordered.ceiling(Entry.bound(first, missing));
    return covers != null && covers.hasPlacementOf(first)
        ? covers
        : ordered.lower(Entry.bound(first, Long.MAX_VALUE));
  }

  /** Looks again for batches with bytes to free among those without; returns whether any has. */
  @GuardedBy("this")
  private boolean renewEmpty() {
    int before = ordered.size();
    renewAll(empty);
    return ordered.size() > before;
  }

  @GuardedBy("this")
  private void renewAll(Set<Entry> some) {
    for (Entry entry : List.copyOf(some)) {
      renew(entry);
    }
  }

  /**
   * Reads size and placement of a batch again and moves its entry accordingly; removes it when the
   * batch is not idle in memory.
   *
   * @return whether anything has changed
   */
  @GuardedBy("this")
  private boolean renew(Entry entry) {
    SpillPlacement placement = entry.batch.placement();
    boolean isActive = placement.isActive();
    int distance = placement.distanceToUse();
    long bytes = entry.batch.freeableBytes();
    entry.renewedAt = choice;
    if (bytes == 0 && !entry.batch.isIdleInMemory()) {
      remove(entry.batch);
      return true;
    }
    boolean isOrdered = ordered.contains(entry);
    if (isOrdered
        && bytes == entry.bytes
        && isActive == entry.isActive
        && distance == entry.distance) {
      return false;
    }
    ordered.remove(entry);
    empty.remove(entry);
    entry.isActive = isActive;
    entry.distance = distance;
    entry.bytes = bytes;
    if (bytes > 0) {
      ordered.add(entry);
    } else {
      empty.add(entry);
    }
    return true;
  }
}
