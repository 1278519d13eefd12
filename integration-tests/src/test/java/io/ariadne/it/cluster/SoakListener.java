package io.ariadne.it.cluster;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/** Counts what the scheduler does, and knows the running tasks. Thread-safe. */
final class SoakListener extends SparkListener {
  private static final int LONGEST_REASON = 60;

  private final Map<Long, Boolean> running = new ConcurrentHashMap<>();
  private final Map<String, Long> failed = new ConcurrentHashMap<>();
  private final AtomicLong tasks = new AtomicLong();
  private final AtomicLong rows = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();
  private final AtomicLong speculative = new AtomicLong();
  private final AtomicLong added = new AtomicLong();
  private final AtomicLong removed = new AtomicLong();

  @Override
  public void onTaskStart(SparkListenerTaskStart start) {
    running.put(start.taskInfo().taskId(), true);
    speculative.addAndGet(start.taskInfo().speculative() ? 1 : 0);
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    running.remove(end.taskInfo().taskId());
    tasks.incrementAndGet();
    if (end.reason() != Success$.MODULE$) {
      failed.merge(reason(end), 1L, Long::sum);
    }
    if (end.taskMetrics() != null) {
      rows.addAndGet(end.taskMetrics().shuffleWriteMetrics().recordsWritten());
      bytes.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
    }
  }

  /** Returns the kind of a failure: its class, and for exceptions theirs. */
  private static String reason(SparkListenerTaskEnd end) {
    String text =
        end.reason() instanceof ExceptionFailure failure
            ? failure.className() + ": " + failure.description().replaceAll("\\d+", "N")
            : end.reason().getClass().getSimpleName();
    String line = text.lines().findFirst().orElse("");
    return line.substring(0, Math.min(line.length(), LONGEST_REASON));
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    repeated.addAndGet(submitted.stageInfo().attemptNumber() > 0 ? 1 : 0);
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded event) {
    added.incrementAndGet();
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    removed.incrementAndGet();
  }

  /** Returns the running tasks. */
  List<Long> runningTasks() {
    return List.copyOf(running.keySet());
  }

  @Override
  public String toString() {
    return "rows shuffled "
        + rows
        + ", MiB shuffled "
        + (bytes.get() >> 20)
        + ", tasks "
        + tasks
        + ", repeated stages "
        + repeated
        + ", speculative tasks "
        + speculative
        + ", executors added "
        + added
        + " removed "
        + removed
        + ", failed tasks "
        + failed;
  }
}
