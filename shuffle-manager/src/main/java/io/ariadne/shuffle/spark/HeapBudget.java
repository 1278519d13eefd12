package io.ariadne.shuffle.spark;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the heap bytes that all its users hold at the same time. Thread-safe. */
final class HeapBudget {
  private final long limitInBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  HeapBudget(long limitInBytes) {
    this.limitInBytes = limitInBytes;
  }

  /**
   * Reserves bytes, which the caller {@link #release releases}; returns false, and reserves
   * nothing, when they exceed the limit.
   */
  boolean tryReserve(long bytes) {
    if (usedBytes.addAndGet(bytes) <= limitInBytes) {
      return true;
    }
    usedBytes.addAndGet(-bytes);
    return false;
  }

  void release(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  long usedBytes() {
    return usedBytes.get();
  }
}
