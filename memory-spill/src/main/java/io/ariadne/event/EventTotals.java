package io.ariadne.event;

/**
 * Totals of all events of a kind, overwritten ones included.
 *
 * @param count number of events
 * @param nanos their time, summed over threads
 * @param bytes their bytes
 */
public record EventTotals(long count, long nanos, long bytes) {
  /** No events. */
  public static final EventTotals NONE = new EventTotals(0, 0, 0);

  /** Returns the sum of two totals. */
  public EventTotals plus(EventTotals other) {
    return new EventTotals(count + other.count, nanos + other.nanos, bytes + other.bytes);
  }

  /** Returns the difference from earlier totals. */
  public EventTotals minus(EventTotals before) {
    return new EventTotals(count - before.count, nanos - before.nanos, bytes - before.bytes);
  }
}
