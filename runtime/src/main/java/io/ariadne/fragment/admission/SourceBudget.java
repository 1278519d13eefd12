package io.ariadne.fragment.admission;

/**
 * How many bytes of output a source may have made and promised: what there is memory for, and what
 * its consumers will have used by the time that the output exists. The budget of the streaming
 * batch model (arXiv 2501.12407v5, section 4.3.1, Algorithm 2), estimated anew each period, which
 * is a second there. Not thread-safe; the caller passes the time.
 *
 * <p>Differences from the paper:
 *
 * <ul>
 *   <li>There the budget is a counter: it begins with all memory, a source task that starts takes
 *       its expected output from it, and each second adds what the consumers are expected to use.
 *       What the estimates miss remains in the counter. Here the budget is an estimated limit less
 *       what is measured to be held, so nothing accumulates, and output that is used counts at
 *       once. The experiment E7 takes as long with either (docs/benchmarks/admission.md).
 *   <li>So the limit looks ahead by a time of its own: that of a source task, as memory need not be
 *       free before its output exists.
 *   <li>The rate of the consumers is the caller's. The paper adds the times of all stages; stages
 *       on different resources work at the same time, and the slowest resource gives the rate.
 * </ul>
 */
public final class SourceBudget {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long periodNanos;
  private final long aheadNanos;
  private long estimatedAt;
  private long limitBytes;

  /**
   * Creates a budget whose consumers have used nothing yet.
   *
   * @param periodNanos time between two estimates, at least 1
   * @param aheadNanos how long a task of the source takes, about: what the consumers use in this
   *     time counts as free
   * @param now the time in nanoseconds
   * @param capacityBytes memory for the source's output and what is made of it
   */
  public SourceBudget(long periodNanos, long aheadNanos, long now, long capacityBytes) {
    if (periodNanos < 1 || aheadNanos < 0 || capacityBytes < 0) {
      throw new IllegalArgumentException(
          "periodNanos="
              + periodNanos
              + " aheadNanos="
              + aheadNanos
              + " capacityBytes="
              + capacityBytes);
    }
    this.periodNanos = periodNanos;
    this.aheadNanos = aheadNanos;
    this.estimatedAt = now;
    this.limitBytes = capacityBytes;
  }

  /** Returns whether a period has passed since the last estimate. */
  public boolean isDue(long now) {
    return now - estimatedAt >= periodNanos;
  }

  /** Returns the time since the last estimate, in nanoseconds. */
  public long age(long now) {
    return now - estimatedAt;
  }

  /**
   * Estimates the budget anew. A period begins.
   *
   * @param now the time in nanoseconds
   * @param capacityBytes memory for the source's output and what is made of it
   * @param bytesPerSecond output of the source that its consumers use per second; 0 while unknown
   */
  public void estimate(long now, long capacityBytes, double bytesPerSecond) {
    estimatedAt = now;
    double used = bytesPerSecond * (aheadNanos / NANOS_PER_SECOND);
    limitBytes = (long) Math.min(Long.MAX_VALUE / 2.0, capacityBytes + used);
  }

  /** Raises the estimate to at least this many bytes until the next one. */
  public void raise(long bytes) {
    limitBytes = Math.max(limitBytes, bytes);
  }

  /** Returns the bytes that the source may have made and promised at most, at least 0. */
  public long limitBytes() {
    return limitBytes;
  }

  /**
   * Returns the budget: the bytes that the source may promise now; below 0 when more is held.
   *
   * @param heldBytes bytes that the source's output and what was made of it hold, and the output
   *     that running tasks of the source have promised and not yet made
   */
  public long bytes(long heldBytes) {
    return limitBytes - heldBytes;
  }
}
