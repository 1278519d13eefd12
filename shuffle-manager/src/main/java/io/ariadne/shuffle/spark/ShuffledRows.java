package io.ariadne.shuffle.spark;

import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLShuffleWriteMetricsReporter;
import scala.collection.immutable.Map;

/**
 * Counts what map tasks put out: rows, in Spark's figures its records, and their bytes. Shipped to
 * executors.
 *
 * @param records Spark's metric of records written
 * @param dataSize Spark's metric of bytes before compression
 */
public record ShuffledRows(SQLMetric records, SQLMetric dataSize) implements Serializable {
  /**
   * Returns the counter of a node.
   *
   * @param metrics the node's
   */
  public static ShuffledRows of(Map<String, SQLMetric> metrics) {
    return new ShuffledRows(
        metrics.apply(SQLShuffleWriteMetricsReporter.SHUFFLE_RECORDS_WRITTEN()),
        metrics.apply("dataSize"));
  }

  /**
   * Counts a block.
   *
   * @param context the map task
   * @param rows its rows
   * @param bytes what its rows would take in Spark's exchange
   */
  public void add(TaskContext context, long rows, long bytes) {
    context.taskMetrics().shuffleWriteMetrics().incRecordsWritten(rows);
    records.add(rows);
    dataSize.add(bytes);
  }
}
