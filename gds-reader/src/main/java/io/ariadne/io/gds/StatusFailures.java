package io.ariadne.io.gds;

/** Counts failures of a call that follow each other without a success, and for how long. */
final class StatusFailures {
  private int count;
  private long firstNanos;

  void add(long nowNanos) {
    if (count == 0) {
      firstNanos = nowNanos;
    }
    count++;
  }

  /** Forgets all failures, after a success. */
  void reset() {
    count = 0;
  }

  int count() {
    return count;
  }

  /** Returns whether the first of them is longer ago than some time. */
  boolean lastFor(long nanos, long nowNanos) {
    return count > 0 && nowNanos - firstNanos > nanos;
  }
}
