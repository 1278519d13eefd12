package io.ariadne.compute;

/**
 * A queued work item; the most urgent one of its query compares least. Guarded by the executor's
 * lock.
 */
final class QueuedWorkItem implements Comparable<QueuedWorkItem> {
  private final WorkItem item;
  private final int distance;
  private final long taskRank;
  private final long sinceNanos;
  private final long number;
  private boolean taken;

  /**
   * Creates an entry of the queue.
   *
   * @param item the work item
   * @param sinceNanos when it was queued
   * @param number how many work items were queued before it
   */
  QueuedWorkItem(WorkItem item, long sinceNanos, long number) {
    this.item = item;
    this.distance = item.distance();
    this.taskRank = item.taskRank();
    this.sinceNanos = sinceNanos;
    this.number = number;
  }

  WorkItem item() {
    return item;
  }

  /** Returns when the work item was queued. */
  long sinceNanos() {
    return sinceNanos;
  }

  boolean isTaken() {
    return taken;
  }

  /** Notes that the work item has left the queue. */
  void take() {
    taken = true;
  }

  /** Returns whether this differs from another in age at most. */
  boolean isAsUrgentAs(QueuedWorkItem other) {
    return distance == other.distance && taskRank == other.taskRank;
  }

  @Override
  public int compareTo(QueuedWorkItem other) {
    int byDistance = Integer.compare(distance, other.distance);
    if (byDistance != 0) {
      return byDistance;
    }
    int byTask = Long.compare(taskRank, other.taskRank);
    return byTask != 0 ? byTask : Long.compare(number, other.number);
  }
}
