package io.ariadne.shuffle.spark;

import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLShuffleWriteMetricsReporter;
import scala.collection.immutable.Map;

/**
 * Counts the rows that map tasks write, and their bytes, in Spark's metrics. What these metrics
 * call records are rows. Shipped to executors.
 *
 * @param records Spark's metric of records written
 * @param dataSize Spark's metric of bytes before compression
 */
record ShuffledRows(SQLMetric records, SQLMetric dataSize) implements Serializable {
  /**
   * Returns the counter of an exchange.
   *
   * @param metrics the metrics of the exchange's node
   */
  static ShuffledRows of(Map<String, SQLMetric> metrics) {
    return new ShuffledRows(
        metrics.apply(SQLShuffleWriteMetricsReporter.SHUFFLE_RECORDS_WRITTEN()),
        metrics.apply("dataSize"));
  }

  /**
   * Counts the rows of one record.
   *
   * @param context the map task
   * @param rows number of rows
   * @param bytes bytes that the rows would take in Spark's exchange
   */
  void add(TaskContext context, long rows, long bytes) {
    context.taskMetrics().shuffleWriteMetrics().incRecordsWritten(rows);
    records.add(rows);
    dataSize.add(bytes);
  }
}
