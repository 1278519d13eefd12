package io.ariadne.rules.exec.metrics;

import io.ariadne.metrics.FragmentMetrics;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;

/**
 * Publishes metrics of a fragment as a whole to the metrics of Spark's task, which the user
 * interface, the event log and tools read. Called by the task thread. Stateless.
 */
public final class SparkTaskMetrics {
  private SparkTaskMetrics() {}

  /**
   * Adds a fragment's peak memory and its spilled bytes. The peaks of several fragments of a task
   * are added up, as Spark adds up the peaks of a task's data structures.
   *
   * @param totals the fragment's metrics
   * @param sharedBytes bytes of the tables that it shares with other tasks; each task counts them
   *     in full, as Spark's broadcast joins do
   */
  public static void publish(FragmentMetrics totals, long sharedBytes) {
    TaskContext context = TaskContext.get();
    if (context != null) {
      context.taskMetrics().incPeakExecutionMemory(totals.peakBytes() + sharedBytes);
      publishSpills(totals);
    }
  }

  /**
   * Adds the bytes spilled while a shared table was built. The tasks that use the table count its
   * memory.
   */
  public static void publishSpills(FragmentMetrics totals) {
    TaskContext context = TaskContext.get();
    if (context != null) {
      TaskMetrics metrics = context.taskMetrics();
      metrics.incMemoryBytesSpilled(totals.spilledBytes());
      metrics.incDiskBytesSpilled(totals.diskBytes());
    }
  }
}
