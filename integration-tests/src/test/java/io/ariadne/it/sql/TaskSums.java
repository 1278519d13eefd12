package io.ariadne.it.sql;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.apache.spark.executor.ShuffleReadMetrics;
import org.apache.spark.executor.ShuffleWriteMetrics;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/**
 * Sums over tasks that have succeeded of what they report to Spark, as its user interface, the
 * event log and tools read it.
 */
final class TaskSums {
  private final Map<String, Long> sums = new TreeMap<>();

  private TaskSums() {}

  /** Returns the sums of the tasks that some work runs in a session. */
  static TaskSums of(SparkSession session, Runnable work) {
    TaskSums sums = new TaskSums();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd ended) {
            if (ended.taskInfo().successful()) {
              sums.add(ended.taskMetrics());
            }
          }
        };
    session.sparkContext().addSparkListener(listener);
    try {
      work.run();
      session.sparkContext().listenerBus().waitUntilEmpty();
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    } finally {
      session.sparkContext().removeSparkListener(listener);
    }
    return sums;
  }

  private void add(TaskMetrics task) {
    add("peakMemory", task.peakExecutionMemory());
    add("memorySpilled", task.memoryBytesSpilled());
    add("diskSpilled", task.diskBytesSpilled());
    add("inputRecords", task.inputMetrics().recordsRead());
    add("inputBytes", task.inputMetrics().bytesRead());
    add("outputRecords", task.outputMetrics().recordsWritten());
    add("outputBytes", task.outputMetrics().bytesWritten());
    ShuffleWriteMetrics written = task.shuffleWriteMetrics();
    add("shuffleRecordsWritten", written.recordsWritten());
    add("shuffleBytesWritten", written.bytesWritten());
    add("shuffleWriteTime", written.writeTime());
    ShuffleReadMetrics read = task.shuffleReadMetrics();
    add("shuffleRecordsRead", read.recordsRead());
    add("shuffleBytesRead", read.localBytesRead() + read.remoteBytesRead());
    add("shuffleBlocksRead", read.localBlocksFetched() + read.remoteBlocksFetched());
  }

  private void add(String figure, long value) {
    sums.merge(figure, value, Long::sum);
  }

  /** Returns the sum of a figure; 0 without tasks. */
  long get(String figure) {
    return sums.getOrDefault(figure, 0L);
  }

  @Override
  public String toString() {
    return sums.toString();
  }
}
