package io.ariadne.columnar.buffer;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts references to an immutable object that several columns share. Starts at 1; after the last
 * release it stays at 0. Thread-safe.
 */
public final class ReferenceCount {
  private final AtomicInteger count = new AtomicInteger(1);

  /** Creates a count of one reference. */
  public ReferenceCount() {}

  /**
   * Adds a reference.
   *
   * @throws IllegalStateException after the last release
   */
  public void add() {
    if (!tryAdd()) {
      throw new IllegalStateException("retain after the last release");
    }
  }

  /** Adds a reference unless the last one was released; returns whether it did. */
  public boolean tryAdd() {
    return count.getAndUpdate(holders -> holders <= 0 ? holders : holders + 1) > 0;
  }

  /**
   * Removes a reference.
   *
   * @return whether it was the last one, so that the caller frees the shared object
   * @throws IllegalStateException when there was no reference
   */
  public boolean remove() {
    int after = count.decrementAndGet();
    if (after < 0) {
      throw new IllegalStateException("released more often than retained");
    }
    return after == 0;
  }

  /** Returns the number of references. */
  public int count() {
    return count.get();
  }
}
