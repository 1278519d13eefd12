package io.ariadne.compute;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** A query's waiting tasks and the time it has had on all threads together. */
final class QueryShare {
  /** What a first task is expected to take. */
  private static final long FIRST_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final long number;
  private final PriorityQueue<QueuedWorkItem> byUrgency = new PriorityQueue<>();

  /** The same, the oldest first; some may have been taken since. */
  private final Deque<QueuedWorkItem> byAge = new ArrayDeque<>();

  private long usedNanos;
  private long turnNanos = FIRST_TURN_NANOS;
  private int running;

  /** Creates the share of the query before which so many others came. */
  QueryShare(long number) {
    this.number = number;
  }

  /** Returns the time it has had, that of running tasks as expected. */
  long usedNanos() {
    return usedNanos;
  }

  /** Returns whether it has no task, neither waiting nor running. */
  boolean isIdle() {
    return byUrgency.isEmpty() && running == 0;
  }

  boolean hasQueued() {
    return !byUrgency.isEmpty();
  }

  /** Returns whether its turn comes before another's. */
  boolean isBefore(QueryShare other) {
    return usedNanos != other.usedNanos ? usedNanos < other.usedNanos : number < other.number;
  }

  /** Gives up the time that it did not use while it had nothing to do. */
  void comesBack(long floorNanos) {
    usedNanos = Math.max(usedNanos, floorNanos);
  }

  void add(QueuedWorkItem task) {
    byUrgency.add(task);
    byAge.add(task);
  }

  /** Returns the task to run next: one that waits since a time before, else the most urgent. */
  QueuedWorkItem first(long overdueNanos) {
    dropTaken();
    QueuedWorkItem oldest = byAge.element();
    return oldest.sinceNanos() - overdueNanos < 0 ? oldest : byUrgency.element();
  }

  QueuedWorkItem mostUrgent() {
    return byUrgency.element();
  }

  /** Returns the most urgent task of one owner, or null. */
  QueuedWorkItem firstOf(Object owner) {
    QueuedWorkItem first = null;
    for (QueuedWorkItem each : byUrgency) {
      if (each.task().owner() == owner && (first == null || each.compareTo(first) < 0)) {
        first = each;
      }
    }
    return first;
  }

  /** Returns what is charged for a task that starts until it has ended. */
  long turnNanos() {
    return turnNanos;
  }

  /** Takes a task out to run it. */
  void start(QueuedWorkItem chosen) {
    dropTaken();
    byUrgency.remove(chosen);
    chosen.take();
    running++;
    usedNanos += turnNanos;
  }

  /** Notes what a task has taken that was expected to take something else. */
  void ended(long expectedNanos, long elapsedNanos) {
    running--;
    usedNanos += elapsedNanos - expectedNanos;
    turnNanos = (3 * turnNanos + elapsedNanos) / 4;
  }

  /** Takes an owner's tasks out; returns how many. */
  int withdraw(Object owner) {
    int withdrawn = 0;
    for (Iterator<QueuedWorkItem> all = byUrgency.iterator(); all.hasNext(); ) {
      QueuedWorkItem each = all.next();
      if (each.task().owner() == owner) {
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
    // Those taken out of turn would otherwise pile up behind one that waits for long.
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
