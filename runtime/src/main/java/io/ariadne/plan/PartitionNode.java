package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import java.util.List;

/**
 * Puts the rows of each batch into the order of their partitions.
 *
 * @param id metrics number
 * @param child the input, whose last column has a number per row by which it is placed, as {@link
 *     io.ariadne.operator.exchange.PartitionOperator} says; in the output the row's partition
 * @param partitions how many there are
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
