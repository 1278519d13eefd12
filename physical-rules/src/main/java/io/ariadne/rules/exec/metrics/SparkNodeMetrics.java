package io.ariadne.rules.exec.metrics;

import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.metrics.NodeMetrics;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.metric.SQLMetric;

/**
 * Publishes the metrics of one of Spark's nodes. SQL metrics are not thread-safe: only the task
 * thread calls.
 *
 * @param top the plan node whose output is the Spark node's
 * @param numbers the plan nodes that the Spark node became
 * @param rows Spark's count of output rows
 * @param batches Spark's count of output batches
 * @param nanos Spark's count of time
 * @param extras Spark's other metrics, by the names of the statistics; summed over the plan nodes
 */
public record SparkNodeMetrics(
    int top,
    List<Integer> numbers,
    SQLMetric rows,
    SQLMetric batches,
    SQLMetric nanos,
    Map<String, SQLMetric> extras)
    implements FragmentMetricsPublisher {
  /** Copies list and map. */
  public SparkNodeMetrics {
    numbers = List.copyOf(numbers);
    extras = Map.copyOf(extras);
  }

  /** Returns the metrics of a node that keeps batches, beyond those of every node. */
  public static List<NodeMetric> ofKeptBatches() {
    return List.of(
        NodeMetric.bytes(NodeMetrics.PEAK_BYTES, "peak memory"),
        NodeMetric.bytes(NodeMetrics.SPILL_BYTES, "spill size"),
        NodeMetric.nanoseconds(NodeMetrics.SPILL_NANOS, "time to spill and read back"),
        NodeMetric.nanoseconds(NodeMetrics.WAIT_NANOS, "time waited for memory and disks"));
  }

  @Override
  public void publish(Map<Integer, NodeMetrics> gathered) {
    NodeMetrics output = gathered.get(top);
    if (output != null) {
      rows.add(output.rows());
      batches.add(output.batches());
    }
    long spent = 0;
    for (int number : numbers) {
      NodeMetrics node = gathered.get(number);
      if (node != null) {
        spent += node.nanos();
        extras.forEach((name, metric) -> metric.add(node.value(name)));
      }
    }
    nanos.add(spent);
  }
}
