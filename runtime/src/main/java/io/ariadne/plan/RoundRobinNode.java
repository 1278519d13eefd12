package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.exchange.PartitionOperatorFactory;
import java.util.List;

/**
 * Appends to every row the number of a partition, round robin in the order of the task's rows.
 *
 * @param id metrics id
 * @param child the input
 * @param width how many of its columns, from the first, are in the output
 * @param partitions number of partitions
 */
public record RoundRobinNode(int id, PlanNode child, int width, int partitions)
    implements PlanNode {
  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }

  @Override
  public Schema schema() {
    return PartitionOperatorFactory.withPartitionColumn(child.schema(), width);
  }
}
