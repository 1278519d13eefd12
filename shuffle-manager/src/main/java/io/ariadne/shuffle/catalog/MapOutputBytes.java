package io.ariadne.shuffle.catalog;

import io.ariadne.spill.SpillableBatch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that kept batches take, summed up as these come and go: asking costs the same however many
 * there are. Thread-safe; sums that are asked for one after the other may be of different moments.
 *
 * <p>Each batch tells of each change itself, and has added what is taken off later: the sums are
 * zero again when all batches are gone.
 */
final class MapOutputBytes {
  private final AtomicLong inMemory = new AtomicLong();
  private final AtomicLong uncut = new AtomicLong();
  private final AtomicLong movable = new AtomicLong();

  /** What is movable by shuffle; nothing for those of which nothing is. */
  private final Map<Integer, Long> movableByShuffle = new ConcurrentHashMap<>();

  /** What one batch has in the sums; its changes come one after the other. */
  private final class Share implements SpillableBatch.Watcher {
    private final int shuffleId;
    private final long sizeInBytes;
    private final boolean isUncut;
    private SpillableBatch.Presence presence = SpillableBatch.Presence.AWAY;

    Share(int shuffleId, long sizeInBytes, boolean isUncut) {
      this.shuffleId = shuffleId;
      this.sizeInBytes = sizeInBytes;
      this.isUncut = isUncut;
    }

    @Override
    public void became(SpillableBatch.Presence next) {
      long more = bytesIf(isInMemory(next)) - bytesIf(isInMemory(presence));
      inMemory.addAndGet(more);
      uncut.addAndGet(isUncut ? more : 0);
      long moreMovable = bytesIf(isMovable(next)) - bytesIf(isMovable(presence));
      movable.addAndGet(moreMovable);
      if (moreMovable != 0) {
        movableByShuffle.merge(shuffleId, moreMovable, MapOutputBytes::sumOrNothing);
      }
      presence = next;
    }

    private long bytesIf(boolean counts) {
      return counts ? sizeInBytes : 0;
    }
  }

  private static boolean isInMemory(SpillableBatch.Presence presence) {
    return presence != SpillableBatch.Presence.AWAY;
  }

  private static boolean isMovable(SpillableBatch.Presence presence) {
    return presence == SpillableBatch.Presence.MOVABLE;
  }

  private static Long sumOrNothing(long sum, long more) {
    return sum + more == 0 ? null : sum + more;
  }

  /**
   * Returns what adds a batch, while it is in memory, to the sums.
   *
   * @param shuffleId whose output it is of
   * @param sizeInBytes what it takes in memory, about
   * @param isUncut whether it is large and yet has rows of all partitions
   */
  SpillableBatch.Watcher shareOf(int shuffleId, long sizeInBytes, boolean isUncut) {
    return new Share(shuffleId, sizeInBytes, isUncut);
  }

  /** Returns bytes in memory, read or not. */
  long inMemory() {
    return inMemory.get();
  }

  /** Returns bytes of uncut batches in memory, read or not. */
  long uncutInMemory() {
    return uncut.get();
  }

  /** Returns bytes of memory that are free when all is moved to disk that may be. */
  long movable() {
    return movable.get();
  }

  /** Returns {@link #movable} without what a shuffle has in it. */
  long movableOfOthers(int shuffleId) {
    return Math.max(0, movable.get() - movableByShuffle.getOrDefault(shuffleId, 0L));
  }

  /** Returns how many shuffles have something that is movable. */
  int movableShuffles() {
    return movableByShuffle.size();
  }
}
