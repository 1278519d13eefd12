package io.ariadne.shuffle.spark;

import io.ariadne.bridge.node.NodeMetric;
import java.util.List;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLShuffleReadMetricsReporter;
import scala.collection.immutable.Map;

/**
 * Reports what a reduce task reads to the task's metrics and to those of the exchange. Reports rows
 * as records; ignores Spark's reader, which reports blocks as records. Used by the task thread.
 */
final class BlockReadReporter extends SQLShuffleReadMetricsReporter implements TransferReporter {
  private static final NodeMetric RECEIVED =
      NodeMetric.bytes("transportBytesRead", "bytes read over Ariadne's transport");

  private static final NodeMetric RECEIVED_PLAIN =
      NodeMetric.bytes(
          "transportPlainBytesRead", "bytes read over Ariadne's transport, before compression");

  private static final NodeMetric REPEATED =
      NodeMetric.sum("transportRepeatedRequests", "requests to executors that were repeated");

  private static final NodeMetric MERGED =
      NodeMetric.bytes("mergedBytesRead", "bytes of merged map outputs read");

  private static final NodeMetric REQUESTED =
      NodeMetric.nanoseconds("transportRequestTime", "time with requests over Ariadne's transport");

  private static final NodeMetric READ_BACK =
      NodeMetric.bytes("mapOutputBytesReadBack", "bytes of map outputs read back from disk");

  /** The metrics of an exchange that this reports to, besides Spark's. */
  static final List<NodeMetric> METRICS =
      List.of(RECEIVED, RECEIVED_PLAIN, REQUESTED, REPEATED, MERGED, READ_BACK);

  private final SQLMetric received;
  private final SQLMetric receivedPlain;
  private final SQLMetric repeated;
  private final SQLMetric merged;
  private final SQLMetric requested;
  private final SQLMetric readBack;

  /**
   * Creates a reporter.
   *
   * @param task Spark's metrics of the task
   * @param metrics the exchange's: Spark's and {@link #METRICS}
   */
  BlockReadReporter(TempShuffleReadMetrics task, Map<String, SQLMetric> metrics) {
    super(task, metrics);
    this.received = metrics.apply(RECEIVED.name());
    this.receivedPlain = metrics.apply(RECEIVED_PLAIN.name());
    this.repeated = metrics.apply(REPEATED.name());
    this.merged = metrics.apply(MERGED.name());
    this.requested = metrics.apply(REQUESTED.name());
    this.readBack = metrics.apply(READ_BACK.name());
  }

  @Override
  public void incRecordsRead(long records) {}

  /** Reports rows that the task reads. */
  void addRows(long rows) {
    super.incRecordsRead(rows);
  }

  @Override
  public void received(long bytes, long plainBytes) {
    received.add(bytes);
    receivedPlain.add(plainBytes);
  }

  @Override
  public void repeated(long requests) {
    repeated.add(requests);
  }

  @Override
  public void merged(long bytes) {
    merged.add(bytes);
  }

  @Override
  public void requested(long nanos) {
    requested.add(nanos);
  }

  @Override
  public void readBack(long bytes) {
    readBack.add(bytes);
  }
}
