package io.ariadne.shuffle.spark;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes of the heap that all who share this may have at once. Thread-safe. */
final class HeapBudget {
  private final long mostBytes;
  private final AtomicLong takenBytes = new AtomicLong();

  HeapBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Takes bytes, to be {@link #giveBack given back}; returns whether they were left. */
  boolean take(long bytes) {
    if (takenBytes.addAndGet(bytes) <= mostBytes) {
      return true;
    }
    takenBytes.addAndGet(-bytes);
    return false;
  }

  void giveBack(long bytes) {
    takenBytes.addAndGet(-bytes);
  }

  long takenBytes() {
    return takenBytes.get();
  }
}
