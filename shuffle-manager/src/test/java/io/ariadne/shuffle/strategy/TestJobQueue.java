package io.ariadne.shuffle.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Sums of jobs are those of the jobs that are there. */
class TestJobQueue {
  private static MergeJob job(String executor, long mapId, int first, int... sizes) {
    return new MergeJob(executor, 1, mapId, first, first + sizes.length, sizes, false);
  }

  @Test
  void sumsFollowTheJobs() {
    JobQueue queue = new JobQueue();
    MergeJob own = job(null, 1, 0, 10, 20);
    MergeJob other = job("7", 2, 0, 30, 40);
    queue.add(own);
    assertFalse(queue.hasOfOthers());
    queue.add(other);
    assertTrue(queue.hasOfOthers());
    assertEquals(own.heapBytes() + other.heapBytes(), queue.heapBytes());
    queue.removeIf(job -> !job.isOwn());
    assertFalse(queue.hasOfOthers());
    assertEquals(own.heapBytes(), queue.heapBytes());
    queue.removeFirst(1);
    assertEquals(0, queue.heapBytes());
    assertTrue(queue.isEmpty());
  }

  @Test
  void aRoundHasJobsForTheSamePartitions() {
    JobQueue queue = new JobQueue();
    MergeJob first = job("7", 1, 0, 10);
    MergeJob second = job("7", 2, 0, 10);
    queue.add(first);
    queue.add(second);
    queue.add(job("7", 3, 1, 10));
    queue.add(job("7", 4, 0, 10));
    assertEquals(List.of(first, second), queue.firstOf(1000));
    assertEquals(List.of(first), queue.firstOf(10));
    assertEquals(4, queue.size());
  }
}
