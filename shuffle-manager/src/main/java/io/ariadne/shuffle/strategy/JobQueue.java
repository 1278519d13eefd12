package io.ariadne.shuffle.strategy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The jobs of one shuffle in their order, and sums of them. Guarded by the monitor of its owner.
 */
final class JobQueue {
  private final Deque<MergeJob> jobs = new ArrayDeque<>();
  private long heapBytes;
  private int ofOthers;

  /** Adds a job as the last one. */
  void add(MergeJob job) {
    jobs.add(job);
    heapBytes += job.heapBytes();
    ofOthers += job.isOwn() ? 0 : 1;
  }

  /** Returns about how many bytes of heap the jobs take. */
  long heapBytes() {
    return heapBytes;
  }

  /** Returns whether there are rows of other executors to merge. */
  boolean hasOfOthers() {
    return ofOthers > 0;
  }

  boolean isEmpty() {
    return jobs.isEmpty();
  }

  int size() {
    return jobs.size();
  }

  /** Returns the first job; null when there is none. */
  MergeJob first() {
    return jobs.peek();
  }

  /** Returns the first jobs for the same partitions, until they have so many bytes of rows. */
  List<MergeJob> firstOf(long bytes) {
    List<MergeJob> some = new ArrayList<>();
    long sum = 0;
    for (MergeJob job : jobs) {
      if (sum >= bytes || !job.isLike(jobs.peek())) {
        break;
      }
      some.add(job);
      sum += job.bytes();
    }
    return some;
  }

  /** Removes so many jobs from the first one on. */
  void removeFirst(int count) {
    for (int i = 0; i < count; i++) {
      removed(jobs.remove());
    }
  }

  /** Removes the jobs that a condition is true for. */
  void removeIf(Predicate<MergeJob> condition) {
    for (Iterator<MergeJob> each = jobs.iterator(); each.hasNext(); ) {
      MergeJob job = each.next();
      if (condition.test(job)) {
        each.remove();
        removed(job);
      }
    }
  }

  private void removed(MergeJob job) {
    heapBytes -= job.heapBytes();
    ofOthers -= job.isOwn() ? 0 : 1;
  }
}
