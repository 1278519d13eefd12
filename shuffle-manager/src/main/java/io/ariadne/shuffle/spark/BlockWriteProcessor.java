package io.ariadne.shuffle.spark;

import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLShuffleWriteMetricsReporter;
import scala.collection.immutable.Map;

/**
 * Writes the output of a map task by Spark's shuffle manager. Reports bytes and time but no
 * records, since {@link ShuffledRows} reports rows as records.
 */
final class BlockWriteProcessor extends ShuffleWriteProcessor {
  private static final long serialVersionUID = 1L;

  private final Map<String, SQLMetric> metrics;

  BlockWriteProcessor(Map<String, SQLMetric> metrics) {
    this.metrics = metrics;
  }

  @Override
  public ShuffleWriteMetricsReporter createMetricsReporter(TaskContext context) {
    return new WithoutRecords(context.taskMetrics().shuffleWriteMetrics(), metrics);
  }

  private static final class WithoutRecords extends SQLShuffleWriteMetricsReporter {
    WithoutRecords(ShuffleWriteMetricsReporter reporter, Map<String, SQLMetric> metrics) {
      super(reporter, metrics);
    }

    @Override
    public void incRecordsWritten(long records) {}

    @Override
    public void decRecordsWritten(long records) {}
  }
}
