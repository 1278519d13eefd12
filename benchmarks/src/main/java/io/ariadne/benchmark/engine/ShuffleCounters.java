package io.ariadne.benchmark.engine;

import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Adds up Spark's metrics of the shuffles and spills of one query. Thread-safe. */
final class ShuffleCounters extends SparkListener {
  private final Map<String, Long> sums = new TreeMap<>();

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    TaskMetrics metrics = end.taskMetrics();
    if (metrics == null) {
      return; // the task's executor was lost
    }
    add("writtenBytes", metrics.shuffleWriteMetrics().bytesWritten());
    add("localBytes", metrics.shuffleReadMetrics().localBytesRead());
    add("remoteBytes", metrics.shuffleReadMetrics().remoteBytesRead());
    add("spilledBytes", metrics.diskBytesSpilled());
    add("fetchWaitMillis", metrics.shuffleReadMetrics().fetchWaitTime());
  }

  private void add(String counter, long value) {
    sums.merge(counter, value, Long::sum);
  }

  /** Forgets what was counted. */
  synchronized void reset() {
    sums.clear();
  }

  /** Returns the sums by the name of the counter. */
  synchronized Map<String, Long> sums() {
    return Map.copyOf(sums);
  }
}
