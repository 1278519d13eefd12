package io.ariadne.rules.exec.metrics;

import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.io.ReadCounters;
import io.ariadne.metrics.NodeMetrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.InputMetrics;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;

/**
 * Publishes the metrics that only scans have: to metrics of the scan's node, to the row count of
 * Spark's node below it, and to the task's input metrics.
 *
 * @param number the scan's plan node
 * @param sparkRows the row count of Spark's node
 * @param metrics the node's metrics by key
 */
public record ScanNodeMetrics(int number, SQLMetric sparkRows, Map<String, SQLMetric> metrics)
    implements FragmentMetricsPublisher {
  private static final String BYTES_READ = "bytesRead";
  private static final String ROWS_FILTERED = "rowsFiltered";

  /** Copies the map. */
  public ScanNodeMetrics {
    metrics = Map.copyOf(metrics);
  }

  /** Returns the metrics that only scans have; their keys are the names of the statistics. */
  public static List<NodeMetric> declared() {
    return List.of(
        NodeMetric.bytes(BYTES_READ, "bytes read"),
        NodeMetric.bytes("bytesDecompressed", "bytes after decompression"),
        NodeMetric.sum("rowGroupsPruned", "row groups skipped by statistics"),
        NodeMetric.sum("pagesPruned", "pages skipped"),
        NodeMetric.sum("rowsPrunedByStatistics", "rows skipped by statistics"),
        NodeMetric.sum(ROWS_FILTERED, "rows filtered out"),
        NodeMetric.nanoseconds("footerNanos", "time to open files"),
        NodeMetric.nanoseconds("readNanos", "time to read"),
        NodeMetric.nanoseconds("decompressNanos", "time to decompress"),
        NodeMetric.nanoseconds("decodeNanos", "time to decode"),
        NodeMetric.nanoseconds("filterNanos", "time to filter"),
        NodeMetric.sum(ReadCounters.REQUESTS, "storage requests"),
        NodeMetric.bytes(ReadCounters.BYTES, "bytes of storage requests"),
        NodeMetric.nanoseconds(ReadCounters.NANOS, "time of storage requests"),
        NodeMetric.sum(ReadCounters.RETRIES, "storage requests repeated"),
        NodeMetric.sum(ReadCounters.HEDGES, "storage requests sent twice"),
        NodeMetric.sum(ReadCounters.THROTTLED, "storage requests throttled"),
        NodeMetric.bytes(ReadAheadScan.AHEAD_BYTES, "bytes read in time"),
        NodeMetric.bytes(ReadAheadScan.LATE_BYTES, "bytes read late"),
        NodeMetric.bytes(ReadAheadScan.WASTED_BYTES, "bytes read in vain"),
        NodeMetric.nanoseconds(ReadAheadScan.WAIT_NANOS, "time compute threads waited for bytes"));
  }

  /**
   * Creates the publisher of a scan.
   *
   * @param nodeMetrics returns a metric of Ariadne's node by its key
   * @param sparkNode Spark's node below it
   * @param number number of the scan's plan node
   */
  public static ScanNodeMetrics of(
      Function<String, SQLMetric> nodeMetrics, SparkPlan sparkNode, int number) {
    Map<String, SQLMetric> metrics = new LinkedHashMap<>();
    for (NodeMetric metric : declared()) {
      metrics.put(metric.name(), nodeMetrics.apply(metric.name()));
    }
    return new ScanNodeMetrics(number, sparkNode.longMetric("numOutputRows"), metrics);
  }

  @Override
  public void publish(Map<Integer, NodeMetrics> gathered) {
    NodeMetrics node = gathered.get(number);
    if (node == null) {
      return;
    }
    metrics.forEach((name, metric) -> metric.add(node.extra(name).sum()));
    // Spark's scan would also return the rows that this scan's filter drops.
    long rowsRead = node.rows() + node.extra(ROWS_FILTERED).sum();
    sparkRows.add(rowsRead);
    TaskContext context = TaskContext.get();
    if (context != null) {
      InputMetrics input = context.taskMetrics().inputMetrics();
      input.incBytesRead(node.extra(BYTES_READ).sum());
      input.incRecordsRead(rowsRead);
    }
  }
}
