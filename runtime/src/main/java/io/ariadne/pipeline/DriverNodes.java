package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.event.ThreadRecord;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.List;
import java.util.Map;

/**
 * Maps the operators of a driver to the plan nodes that they compute, and counts the metrics of
 * these nodes. Operators are numbered in order; the sink's state comes after the last one.
 * Thread-safe.
 */
final class DriverNodes {
  private final PipelinePlan plan;
  private final Map<Integer, NodeMetrics> metrics;

  /**
   * Creates the nodes of a pipeline's drivers.
   *
   * @param metrics metrics by plan node id
   */
  DriverNodes(PipelinePlan plan, Map<Integer, NodeMetrics> metrics) {
    this.plan = plan;
    this.metrics = metrics;
  }

  private List<Integer> nodesOf(int index) {
    if (index < plan.transforms().size()) {
      return plan.transforms().get(index).nodeIds();
    }
    return plan.sink() == null ? List.of() : List.of(plan.sink().nodeId());
  }

  /** Returns the node that an operator's time counts for; -1 for none. */
  int nodeOf(int index) {
    List<Integer> nodes = nodesOf(index);
    return nodes.isEmpty() ? -1 : nodes.get(nodes.size() - 1);
  }

  /** Notes that the calling thread begins to work for an operator's node. */
  void workOn(int index) {
    ThreadRecord.current().workOn(nodeOf(index));
  }

  /** Counts an output batch of an operator for each of its nodes. */
  void addOutput(int index, RecordBatch batch) {
    long bytes = batch.sizeInBytes();
    for (int node : nodesOf(index)) {
      metrics.get(node).addOutput(batch.rowCount(), bytes);
    }
  }

  /** Counts the time since the start of a call of an operator. */
  void addNanos(int index, long start) {
    int node = nodeOf(index);
    if (node >= 0) {
      metrics.get(node).addNanos(System.nanoTime() - start);
    }
  }
}
