package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import java.util.List;

/**
 * Orders the rows of each batch by partition.
 *
 * @param id metrics id
 * @param child the input; its last column has a number per row that determines the row's partition,
 *     as {@link io.ariadne.operator.exchange.PartitionOperator} specifies. In the output the column
 *     has the row's partition
 * @param partitions number of partitions
 */
public record PartitionNode(int id, PlanNode child, int partitions) implements PlanNode {
  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }

  @Override
  public Schema schema() {
    return child.schema();
  }
}
