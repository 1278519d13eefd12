package io.ariadne.compute;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Decides which work item runs next. Not thread-safe: guarded by the executor's lock.
 *
 * <p>Queries share the threads evenly: the next work item belongs to the query that has used the
 * least time, or to the older query if several used the same. A query that arrives or becomes
 * active again starts with the least time that any active query has used. So it forfeits the time
 * that it did not use and cannot starve other queries. A work item is charged with its expected
 * duration when it starts; the charge is corrected when it ends. So threads that choose at the same
 * time choose different queries.
 *
 * <p>Within a query, the work item closest to its fragment's output runs first, which frees memory
 * soonest. Among those, the task of the lowest rank runs first, so that tasks complete one after
 * the other and not all at the end. Then the oldest runs first. A work item that has been queued
 * for {@value #OVERDUE_MILLIS} ms runs before all of these.
 */
final class WorkQueue {
  static final long OVERDUE_MILLIS = 500;
  private static final long OVERDUE_NANOS = TimeUnit.MILLISECONDS.toNanos(OVERDUE_MILLIS);

  /** By how much the time of a query may exceed the least when its own task thread helps. */
  private static final long HELP_SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Map<Object, QueryShare> shares = new HashMap<>();
  private long submitted;
  private long queries;
  private int size;

  /** The least time that a query with work has used; never decreases. */
  private long floorNanos;

  /**
   * A work item that was taken from the queue to be run.
   *
   * @param item the work item
   * @param share the share of its query
   * @param expectedNanos the time charged for it
   */
  record Taken(WorkItem item, QueryShare share, long expectedNanos) {}

  /** Returns the number of queued work items. */
  int size() {
    return size;
  }

  /** Returns the number of queries that have work items or had some recently. */
  int queryCount() {
    return shares.size();
  }

  /** Queues a work item at a time of the clock. */
  void add(WorkItem item, long now) {
    QueryShare share = shares.get(item.query());
    if (share == null) {
      forgetIdle();
      share = new QueryShare(queries++);
      shares.put(item.query(), share);
    }
    if (share.isIdle()) {
      raiseFloor();
      share.resume(floorNanos);
    }
    share.add(new QueuedWorkItem(item, now, submitted++));
    size++;
  }

  /**
   * Forgets idle queries that have used no more time than active ones: they would restart at the
   * same point.
   */
  private void forgetIdle() {
    boolean allIdle = shares.values().stream().allMatch(QueryShare::isIdle);
    shares.values().removeIf(each -> each.isIdle() && (allIdle || each.usedNanos() <= floorNanos));
  }

  /** Removes the work item to run next, or returns null if none is queued. */
  Taken poll(long now) {
    QueryShare share = next();
    return share == null ? null : take(share, share.first(now - OVERDUE_NANOS));
  }

  /**
   * Removes the most urgent work item of an owner, whose own thread will run it.
   *
   * @return null if the owner has none queued, or if other work comes first: work of the same query
   *     that is closer to an output or of a task of lower rank, or work of a query that has used
   *     clearly less time
   */
  Taken pollOf(Object owner) {
    QueryShare least = next();
    for (QueryShare share : shares.values()) {
      QueuedWorkItem first = share.firstOf(owner);
      if (first != null) {
        boolean mayRun =
            share.usedNanos() - least.usedNanos() <= HELP_SLACK_NANOS
                && first.isAsUrgentAs(share.mostUrgent());
        return mayRun ? take(share, first) : null;
      }
    }
    return null;
  }

  /**
   * Removes a work item. Allocates before it changes anything: a work item that was removed and not
   * returned would be lost.
   */
  private Taken take(QueryShare share, QueuedWorkItem chosen) {
    Taken taken = new Taken(chosen.item(), share, share.expectedNanos());
    share.start(chosen);
    size--;
    return taken;
  }

  /** Notes for how long a taken work item ran. */
  void ended(Taken taken, long elapsedNanos) {
    taken.share().ended(taken.expectedNanos(), elapsedNanos);
    raiseFloor();
  }

  private void raiseFloor() {
    long least = Long.MAX_VALUE;
    for (QueryShare share : shares.values()) {
      if (!share.isIdle()) {
        least = Math.min(least, share.usedNanos());
      }
    }
    if (least != Long.MAX_VALUE) {
      floorNanos = Math.max(floorNanos, least);
    }
  }

  /** Returns the query with queued work items that runs next; null for none. */
  private QueryShare next() {
    QueryShare next = null;
    for (QueryShare share : shares.values()) {
      if (share.hasQueued() && (next == null || share.isBefore(next))) {
        next = share;
      }
    }
    return next;
  }

  /** Removes the work items of an owner; returns how many. */
  int withdraw(Object owner) {
    int withdrawn = 0;
    for (QueryShare share : shares.values()) {
      withdrawn += share.withdraw(owner);
    }
    size -= withdrawn;
    return withdrawn;
  }

  /** Describes the queries in one line. */
  String describe() {
    List<String> texts = new ArrayList<>();
    shares.forEach((query, share) -> texts.add(query + ": " + share));
    return size + " queued" + (texts.isEmpty() ? "" : " (" + String.join("; ", texts) + ")");
  }
}
