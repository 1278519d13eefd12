package io.ariadne.compute;

/** A task that waits; the most urgent one of its query is the least. */
final class QueuedWorkItem implements Comparable<QueuedWorkItem> {
  private final WorkItem task;
  private final int distance;
  private final int partition;
  private final long sinceNanos;
  private final long number;
  private boolean taken;

  /**
   * Notes what a task's place depends on.
   *
   * @param sinceNanos when it began to wait
   * @param number how many came before it
   */
  QueuedWorkItem(WorkItem task, long sinceNanos, long number) {
    this.task = task;
    this.distance = task.distance();
    this.partition = task.partition();
    this.sinceNanos = sinceNanos;
    this.number = number;
  }

  WorkItem task() {
    return task;
  }

  /** Returns when it began to wait. */
  long sinceNanos() {
    return sinceNanos;
  }

  boolean isTaken() {
    return taken;
  }

  /** Notes that it waits no more. */
  void take() {
    taken = true;
  }

  /** Returns whether only its age, if anything, puts it behind another. */
  boolean isAsUrgentAs(QueuedWorkItem other) {
    return distance == other.distance && partition == other.partition;
  }

  @Override
  public int compareTo(QueuedWorkItem other) {
    int byDistance = Integer.compare(distance, other.distance);
    if (byDistance != 0) {
      return byDistance;
    }
    int byPartition = Integer.compare(partition, other.partition);
    return byPartition != 0 ? byPartition : Long.compare(number, other.number);
  }
}
