package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import java.io.Serializable;
import java.util.List;

/**
 * A node of a plan fragment: what one task does between its inputs and its output, without Spark's
 * classes.
 *
 * <p>Immutable, serialisable, holds no buffers. Built by the planner rules on the driver, run by
 * executors.
 */
public sealed interface PlanNode extends Serializable
    permits InputNode,
        ScanNode,
        FilterNode,
        ProjectNode,
        AggregateNode,
        BridgedAggregateNode,
        PartitionNode,
        RangeNode,
        RoundRobinNode,
        ExpandNode,
        JoinNode,
        SortNode,
        TopNNode,
        LimitNode {
  /** Returns the number under which the node's metrics are gathered, unique in its fragment. */
  int id();

  /** Returns the inputs. */
  List<PlanNode> children();

  /** Returns the columns of the output. */
  Schema schema();

  /**
   * Returns whether it needs its whole input before it puts anything out: a batch of its output is
   * then not made of one batch of the input.
   */
  default boolean isBreaker() {
    return false;
  }
}
