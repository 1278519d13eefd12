package io.ariadne.rules.exec.metrics;

import io.ariadne.bridge.node.NodeMetric;
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
 * Where a scan's own figures are published: metrics of its node, the row count of Spark's node
 * below it, and the task's input figures.
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

  /** Returns the metrics of a scan beyond those of every node; their keys name the figures. */
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
        NodeMetric.nanoseconds("filterNanos", "time to filter"));
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
    NodeMetrics figures = gathered.get(number);
    if (figures == null) {
      return;
    }
    metrics.forEach((name, metric) -> metric.add(figures.extra(name).sum()));
    // Spark's scan puts out what the filter above it drops here.
    long rowsRead = figures.rows() + figures.extra(ROWS_FILTERED).sum();
    sparkRows.add(rowsRead);
    TaskContext context = TaskContext.get();
    if (context != null) {
      InputMetrics input = context.taskMetrics().inputMetrics();
      input.incBytesRead(figures.extra(BYTES_READ).sum());
      input.incRecordsRead(rowsRead);
    }
  }
}
