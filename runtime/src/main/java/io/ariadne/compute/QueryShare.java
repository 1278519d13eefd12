package io.ariadne.compute;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/**
 * The queued work items of a query, and the time that the query has used on all threads together.
 * Guarded by the executor's lock.
 */
final class QueryShare {
  /** The expected duration of a query's first work item. */
  private static final long INITIAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final long number;
  private final PriorityQueue<QueuedWorkItem> byUrgency = new PriorityQueue<>();

  /** The same work items, oldest first; may contain work items that were taken. */
  private final Deque<QueuedWorkItem> byAge = new ArrayDeque<>();

  private long usedNanos;
  private long expectedNanos = INITIAL_NANOS;
  private int running;

  /**
   * Creates the share of a query without work items.
   *
   * @param number how many queries came before this one
   */
  QueryShare(long number) {
    this.number = number;
  }

  /**
   * Returns the time that the query has used; running work items count with their expected
   * duration.
   */
  long usedNanos() {
    return usedNanos;
  }

  /** Returns whether the query has neither queued nor running work items. */
  boolean isIdle() {
    return byUrgency.isEmpty() && running == 0;
  }

  boolean hasQueued() {
    return !byUrgency.isEmpty();
  }

  /**
   * Returns whether this query runs before another: it has used less time, or the same time and is
   * older.
   */
  boolean isBefore(QueryShare other) {
    return usedNanos != other.usedNanos ? usedNanos < other.usedNanos : number < other.number;
  }

  /**
   * Notes that an idle query has work again. Forfeits the time that the query did not use while it
   * was idle.
   *
   * @param floorNanos the least time that any active query has used
   */
  void resume(long floorNanos) {
    usedNanos = Math.max(usedNanos, floorNanos);
  }

  void add(QueuedWorkItem item) {
    byUrgency.add(item);
    byAge.add(item);
  }

  /**
   * Returns the work item to run next: the oldest if it was queued before a given time, else the
   * most urgent.
   */
  QueuedWorkItem first(long overdueNanos) {
    dropTaken();
    QueuedWorkItem oldest = byAge.element();
    return oldest.sinceNanos() - overdueNanos < 0 ? oldest : byUrgency.element();
  }

  QueuedWorkItem mostUrgent() {
    return byUrgency.element();
  }

  /** Returns the most urgent work item of an owner, or null. */
  QueuedWorkItem firstOf(Object owner) {
    QueuedWorkItem first = null;
    for (QueuedWorkItem each : byUrgency) {
      if (each.item().owner() == owner && (first == null || each.compareTo(first) < 0)) {
        first = each;
      }
    }
    return first;
  }

  /**
   * Returns the time that is charged for a work item when it starts, and corrected when it ends.
   */
  long expectedNanos() {
    return expectedNanos;
  }

  /** Removes a work item in order to run it. */
  void start(QueuedWorkItem chosen) {
    dropTaken();
    byUrgency.remove(chosen);
    chosen.take();
    running++;
    usedNanos += expectedNanos;
  }

  /** Replaces the expected duration of a work item by the elapsed time. */
  void ended(long expectedNanos, long elapsedNanos) {
    running--;
    usedNanos += elapsedNanos - expectedNanos;
    expectedNanos = (3 * expectedNanos + elapsedNanos) / 4;
  }

  /** Removes the work items of an owner; returns how many. */
  int withdraw(Object owner) {
    int withdrawn = 0;
    for (Iterator<QueuedWorkItem> all = byUrgency.iterator(); all.hasNext(); ) {
      QueuedWorkItem each = all.next();
      if (each.item().owner() == owner) {
        all.remove();
        each.take();
        withdrawn++;
      }
    }
    byAge.removeIf(QueuedWorkItem::isTaken);
    return withdrawn;
  }

  private void dropTaken() {
    while (!byAge.isEmpty() && byAge.element().isTaken()) {
      byAge.remove();
    }
    // Otherwise taken work items would pile up behind one that stays queued for long.
    if (byAge.size() > 2 * byUrgency.size() + 16) {
      byAge.removeIf(QueuedWorkItem::isTaken);
    }
  }

  @Override
  public String toString() {
    long millis = TimeUnit.NANOSECONDS.toMillis(usedNanos);
    return byUrgency.size() + " queued, " + running + " running, " + millis + " ms";
  }
}
