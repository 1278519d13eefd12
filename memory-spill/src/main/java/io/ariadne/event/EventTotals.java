package io.ariadne.event;

/**
 * Sums over all events of a kind, those that were overwritten included.
 *
 * @param count events
 * @param nanos their time, summed over threads
 * @param bytes their bytes
 */
public record EventTotals(long count, long nanos, long bytes) {
  /** No events. */
  public static final EventTotals NONE = new EventTotals(0, 0, 0);

  /** Returns the sums of both. */
  public EventTotals plus(EventTotals other) {
    return new EventTotals(count + other.count, nanos + other.nanos, bytes + other.bytes);
  }

  /** Returns these without what was there before. */
  public EventTotals minus(EventTotals before) {
    return new EventTotals(count - before.count, nanos - before.nanos, bytes - before.bytes);
  }
}
