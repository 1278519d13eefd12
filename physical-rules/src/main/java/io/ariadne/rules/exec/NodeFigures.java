package io.ariadne.rules.exec;

import io.ariadne.metrics.NodeMetrics;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.metric.SQLMetric;

/**
 * Where the figures of one of Spark's nodes are published. SQL metrics are not thread-safe: only
 * the task thread calls.
 *
 * @param top the plan node whose output is the Spark node's
 * @param numbers the plan nodes that the Spark node became
 * @param rows Spark's count of output rows
 * @param batches Spark's count of output batches
 * @param nanos Spark's count of time
 */
record NodeFigures(
    int top, List<Integer> numbers, SQLMetric rows, SQLMetric batches, SQLMetric nanos)
    implements Figures {
  /** Copies the list. */
  NodeFigures {
    numbers = List.copyOf(numbers);
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
      NodeMetrics figures = gathered.get(number);
      spent += figures == null ? 0 : figures.nanos();
    }
    nanos.add(spent);
  }
}
