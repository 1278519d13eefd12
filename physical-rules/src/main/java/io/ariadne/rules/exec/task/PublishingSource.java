package io.ariadne.rules.exec.task;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.rules.exec.metrics.FragmentMetricsPublisher;
import io.ariadne.rules.exec.metrics.SparkTaskMetrics;
import io.ariadne.rules.scan.SparkScanErrors;
import java.util.List;

/**
 * The output of a fragment. It tells Spark's code which file a batch is from, if that code may ask,
 * and publishes the fragment's metrics when it is closed. Used by the task thread.
 */
final class PublishingSource implements BatchSource {
  private final FragmentExecution execution;
  private final List<? extends FragmentMetricsPublisher> publishers;
  private final long sharedBytes;
  private final InputFiles files;
  private boolean closed;

  /**
   * Takes ownership of an execution.
   *
   * @param execution the running fragment
   * @param publishers publish its metrics
   * @param sharedBytes bytes of the tables that it shares with other tasks
   * @param files the file of each batch of the input
   */
  PublishingSource(
      FragmentExecution execution,
      List<? extends FragmentMetricsPublisher> publishers,
      long sharedBytes,
      InputFiles files) {
    this.execution = execution;
    this.publishers = publishers;
    this.sharedBytes = sharedBytes;
    this.files = files;
  }

  @Override
  public Schema schema() {
    return execution.schema();
  }

  @Override
  public RecordBatch next() {
    files.resumeReading();
    try {
      RecordBatch batch = execution.next();
      if (batch != null) {
        files.nameOutput(execution.inputSequence());
      }
      return batch;
    } catch (RuntimeException e) {
      throw UndeclaredExceptions.raise(SparkScanErrors.toSpark(e));
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        execution.close();
      } finally {
        publishers.forEach(publisher -> publisher.publish(execution.metrics()));
        SparkTaskMetrics.publish(execution.totals(), sharedBytes);
      }
    }
  }
}
