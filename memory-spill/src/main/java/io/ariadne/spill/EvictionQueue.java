package io.ariadne.spill;

import java.util.List;

/**
 * The batches of one memory space that may be evicted, in the order in which they go. Thread-safe.
 *
 * <p>A {@link BatchMover} adds a batch whenever it becomes idle in memory and removes it before it
 * is in another tier. The queue may forget a batch that it finds not idle, since the batch is added
 * again when it becomes idle.
 *
 * <p>Methods call {@link SpillableBatch} and {@link SpillPlacement} under the lock of the queue. So
 * neither a placement nor a {@link PresenceWatcher} may wait for a lock.
 */
public interface EvictionQueue {
  /**
   * Adds a batch, or updates its position if it is there. A batch that is not idle in memory at
   * this moment is removed instead.
   */
  void add(SpillableBatch batch);

  /** Removes a batch; no effect when it is not there. */
  void remove(SpillableBatch batch);

  /**
   * Chooses victims, first to go first. They stay in the queue.
   *
   * <p>The sum of their {@link SpillableBatch#freeableBytes} reaches {@code bytesWanted} if the
   * batches allow it. Without the last victim, or the last few, it would not. Another thread may
   * read or take a victim at any time.
   *
   * @param bytesWanted bytes to be freed, positive
   * @param takesNear whether batches that are needed soon ({@link SpillPlacement#isNear}) may go
   * @return victims without duplicates; empty when no batch may go
   */
  List<SpillableBatch> chooseVictims(long bytesWanted, boolean takesNear);
}
