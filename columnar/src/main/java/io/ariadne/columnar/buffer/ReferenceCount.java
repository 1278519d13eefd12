package io.ariadne.columnar.buffer;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the holders of something immutable that several columns share. Starts with one; once the
 * last has let go there are none ever again. Thread-safe.
 */
public final class ReferenceCount {
  private final AtomicInteger count = new AtomicInteger(1);

  /** Creates a count of one holder. */
  public ReferenceCount() {}

  /**
   * Adds a holder.
   *
   * @throws IllegalStateException when the last holder has let go
   */
  public void add() {
    if (!tryAdd()) {
      throw new IllegalStateException("retain after the last release");
    }
  }

  /** Adds a holder unless the last has let go; returns whether it did. */
  public boolean tryAdd() {
    return count.getAndUpdate(holders -> holders <= 0 ? holders : holders + 1) > 0;
  }

  /**
   * Removes a holder.
   *
   * @return whether it was the last, whose caller frees what was shared
   * @throws IllegalStateException when there was none
   */
  public boolean remove() {
    int after = count.decrementAndGet();
    if (after < 0) {
      throw new IllegalStateException("released more often than retained");
    }
    return after == 0;
  }

  /** Returns the number of holders. */
  public int count() {
    return count.get();
  }
}
