package io.ariadne.compute;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which task runs next. Not thread-safe: the executor's lock guards it.
 *
 * <p>Queries share the threads evenly: next is a task of the query that has had the least time, the
 * older one if both had the same. A query that comes, or comes back, starts where the one with the
 * least is: what it did not use is gone, so that it cannot hold up the others. A task's time is
 * charged when it starts, as it is expected to be, and put right when it ends; so threads that
 * choose at the same time choose different queries.
 *
 * <p>Among the tasks of a query the one nearest to its fragment's output runs first, which frees
 * memory soonest; then the one of the lowest partition, which gets partitions done one after the
 * other instead of all at the end; then the one that was there first. One that has waited for
 * {@value #OVERDUE_MILLIS} ms comes before all of those.
 */
final class WorkQueue {
  static final long OVERDUE_MILLIS = 500;
  private static final long OVERDUE_NANOS = TimeUnit.MILLISECONDS.toNanos(OVERDUE_MILLIS);

  /** By how much a query's time may exceed that of the least when its own thread helps. */
  private static final long HELP_SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Map<Object, QueryShare> shares = new HashMap<>();
  private long submitted;
  private long queries;
  private int size;

  /** The least time that a query with work has had; never goes back. */
  private long floorNanos;

  /**
   * A task that was taken to be run.
   *
   * @param task the task
   * @param share its query's
   * @param expectedNanos what was charged for it
   */
  record Taken(WorkItem task, QueryShare share, long expectedNanos) {}

  /** Returns tasks that wait. */
  int size() {
    return size;
  }

  /** Returns queries that have tasks, or had lately. */
  int queryCount() {
    return shares.size();
  }

  /** Adds a task at a time of the clock. */
  void add(WorkItem task, long now) {
    QueryShare share = shares.get(task.query());
    if (share == null) {
      forgetIdle();
      share = new QueryShare(queries++);
      shares.put(task.query(), share);
    }
    if (share.isIdle()) {
      raiseFloor();
      share.comesBack(floorNanos);
    }
    share.add(new QueuedWorkItem(task, now, submitted++));
    size++;
  }

  /** Drops queries that have nothing to do and no more time than others: they start anew. */
  private void forgetIdle() {
    boolean allIdle = shares.values().stream().allMatch(QueryShare::isIdle);
    shares.values().removeIf(each -> each.isIdle() && (allIdle || each.usedNanos() <= floorNanos));
  }

  /** Takes the task out that is to run next, or returns null when there is none. */
  Taken poll(long now) {
    QueryShare share = next();
    return share == null ? null : take(share, share.first(now - OVERDUE_NANOS));
  }

  /**
   * Takes the first task of one owner out, to be run by the owner's own thread, unless others come
   * before it: tasks of the same query that are nearer to an output or of a lower partition, or
   * another query that has had clearly less time.
   *
   * @return null when there is none
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

  /** Allocates before it changes anything: a task that is taken and not returned would be lost. */
  private Taken take(QueryShare share, QueuedWorkItem chosen) {
    Taken taken = new Taken(chosen.task(), share, share.turnNanos());
    share.start(chosen);
    size--;
    return taken;
  }

  /** Notes how long a task ran that was taken. */
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

  /** Returns the query whose turn it is, among those with tasks that wait; null for none. */
  private QueryShare next() {
    QueryShare next = null;
    for (QueryShare share : shares.values()) {
      if (share.hasQueued() && (next == null || share.isBefore(next))) {
        next = share;
      }
    }
    return next;
  }

  /** Takes an owner's tasks out; returns how many. */
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
