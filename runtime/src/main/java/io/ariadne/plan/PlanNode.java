package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import java.io.Serializable;
import java.util.List;

/**
 * A node of a plan fragment: what one task does between its inputs and its output, without Spark's
 * classes.
 *
 * <p>Immutable and serialisable; holds no buffers. Built by the planner rules on Spark's driver,
 * executed by executors.
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
        KeyFilterNode,
        SortNode,
        TopNNode,
        LimitNode {
  /** Returns the id under which the node's metrics are counted, unique in its fragment. */
  int id();

  /** Returns the inputs. */
  List<PlanNode> children();

  /** Returns the columns of the output. */
  Schema schema();

  /**
   * Returns whether the node needs its whole input before it yields output. If so, an output batch
   * does not correspond to one input batch.
   */
  default boolean isBreaker() {
    return false;
  }
}
