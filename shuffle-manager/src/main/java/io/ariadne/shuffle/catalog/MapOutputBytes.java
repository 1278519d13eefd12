package io.ariadne.shuffle.catalog;

import io.ariadne.spill.PresenceWatcher;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sums of the bytes of all map output batches, updated as batches come, move and go, so that
 * reading a sum costs the same however many batches there are. Thread-safe; two sums that are read
 * one after the other may be of different moments.
 *
 * <p>Each batch reports its own changes, and subtracts only what it has added: the sums are zero
 * when all batches are gone.
 */
final class MapOutputBytes {
  private final AtomicLong inMemory = new AtomicLong();
  private final AtomicLong uncut = new AtomicLong();
  private final AtomicLong movable = new AtomicLong();

  /** Movable bytes by shuffle; no entry for shuffles without movable bytes. */
  private final Map<Integer, Long> movableByShuffle = new ConcurrentHashMap<>();

  /** What one batch has in the sums. Its changes are reported one after the other. */
  private final class Share implements PresenceWatcher {
    private final int shuffleId;
    private final long sizeInBytes;
    private final boolean isUncut;
    private PresenceWatcher.Presence presence = PresenceWatcher.Presence.AWAY;

    Share(int shuffleId, long sizeInBytes, boolean isUncut) {
      this.shuffleId = shuffleId;
      this.sizeInBytes = sizeInBytes;
      this.isUncut = isUncut;
    }

    @Override
    public void became(PresenceWatcher.Presence next) {
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

  private static boolean isInMemory(PresenceWatcher.Presence presence) {
    return presence != PresenceWatcher.Presence.AWAY;
  }

  private static boolean isMovable(PresenceWatcher.Presence presence) {
    return presence == PresenceWatcher.Presence.MOVABLE;
  }

  private static Long sumOrNothing(long sum, long more) {
    return sum + more == 0 ? null : sum + more;
  }

  /**
   * Returns a watcher that adds a batch to the sums while it is in memory.
   *
   * @param shuffleId the shuffle that the batch belongs to
   * @param sizeInBytes approximate bytes of the batch in memory
   * @param isUncut whether the batch is large and yet has rows of all partitions
   */
  PresenceWatcher shareOf(int shuffleId, long sizeInBytes, boolean isUncut) {
    return new Share(shuffleId, sizeInBytes, isUncut);
  }

  /** Returns the bytes of batches in memory, with and without readers. */
  long inMemory() {
    return inMemory.get();
  }

  /** Returns the bytes of uncut batches in memory, with and without readers. */
  long uncutInMemory() {
    return uncut.get();
  }

  /** Returns the bytes of memory that spilling all batches without readers would free. */
  long movable() {
    return movable.get();
  }

  /** Returns {@link #movable} without the bytes of one shuffle. */
  long movableOfOthers(int shuffleId) {
    return Math.max(0, movable.get() - movableByShuffle.getOrDefault(shuffleId, 0L));
  }

  /** Returns the number of shuffles with movable bytes. */
  int movableShuffles() {
    return movableByShuffle.size();
  }
}
