package io.ariadne.rules.exec.metrics;

import io.ariadne.metrics.FragmentMetrics;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;

/**
 * Publishes what fragments take as a whole among the metrics of Spark's task, which the user
 * interface, the event log and tools read. The task thread alone calls. Stateless.
 */
public final class SparkTaskMetrics {
  private SparkTaskMetrics() {}

  /**
   * Adds a fragment's peak of memory and what it has spilled. Spark adds up the peaks of the
   * structures of a task; so do several fragments of one.
   *
   * @param totals the fragment's
   * @param sharedBytes what the tables take that it shares with other tasks, each of which counts
   *     them in full, as Spark's broadcast joins do
   */
  public static void publish(FragmentMetrics totals, long sharedBytes) {
    TaskContext context = TaskContext.get();
    if (context != null) {
      context.taskMetrics().incPeakExecutionMemory(totals.peakBytes() + sharedBytes);
      publishSpills(totals);
    }
  }

  /** Adds what has been spilled while a table was made, whose memory its users count. */
  public static void publishSpills(FragmentMetrics totals) {
    TaskContext context = TaskContext.get();
    if (context != null) {
      TaskMetrics metrics = context.taskMetrics();
      metrics.incMemoryBytesSpilled(totals.spilledBytes());
      metrics.incDiskBytesSpilled(totals.diskBytes());
    }
  }
}
