package io.ariadne.rules.exec.metrics;

import io.ariadne.metrics.NodeMetrics;
import java.io.Serializable;
import java.util.Map;

/** Where figures of a fragment are published, once per task, by the task thread alone. */
public interface FragmentMetricsPublisher extends Serializable {
  /** Adds what the runtime has gathered in one task, by the number of the plan node. */
  void publish(Map<Integer, NodeMetrics> gathered);
}
