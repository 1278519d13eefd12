package io.ariadne.spill;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds the blocks of a {@link SpillStore} by number, with the store's data about each block. Also
 * records whether the store is open. Thread-safe.
 *
 * @param <T> the store's data about a block
 */
public final class StoredBlocks<T> {
  private final Map<Long, T> known = new ConcurrentHashMap<>();
  private final AtomicLong nextNumber = new AtomicLong();
  private volatile boolean closed;

  /** Creates an open store without blocks. */
  public StoredBlocks() {}

  /**
   * Fails unless the store is open.
   *
   * @throws IllegalStateException when it is closed
   */
  public void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the spill store is closed");
    }
  }

  /** Adds a block; returns its number, never used before. */
  public long add(T block) {
    long number = nextNumber.getAndIncrement();
    known.put(number, block);
    return number;
  }

  /**
   * Returns the data about a block.
   *
   * @throws IllegalStateException when it was deleted or the store is closed
   */
  public T get(SpillStore.Block block) {
    checkOpen();
    T found = known.get(block.number());
    if (found == null) {
      throw new IllegalStateException("block " + block.number() + " is not in the store");
    }
    return found;
  }

  /** Returns the data about a block; null when it was deleted. */
  public T find(SpillStore.Block block) {
    return known.get(block.number());
  }

  /**
   * Removes a block.
   *
   * @return the data about it, which the caller frees; null when the store is closed
   * @throws IllegalStateException when it was deleted before
   */
  public T remove(SpillStore.Block block) {
    T removed = known.remove(block.number());
    if (removed == null && !closed) {
      throw new IllegalStateException("block " + block.number() + " was deleted before");
    }
    return removed;
  }

  /** Closes the store and returns the remaining blocks, which the caller frees. Idempotent. */
  public List<T> close() {
    closed = true;
    List<T> left = new ArrayList<>();
    for (Long number : known.keySet()) {
      T block = known.remove(number);
      if (block != null) {
        left.add(block);
      }
    }
    return left;
  }
}
