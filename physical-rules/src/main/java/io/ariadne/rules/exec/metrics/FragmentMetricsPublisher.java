package io.ariadne.rules.exec.metrics;

import io.ariadne.metrics.NodeMetrics;
import java.io.Serializable;
import java.util.Map;

/** Publishes metrics of a fragment to Spark. The task thread calls it, once per task. */
public interface FragmentMetricsPublisher extends Serializable {
  /** Adds the metrics that the runtime has counted in one task, by the number of the plan node. */
  void publish(Map<Integer, NodeMetrics> gathered);
}
