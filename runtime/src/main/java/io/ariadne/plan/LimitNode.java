package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import java.util.List;

/**
 * Leaves out the first rows of the task and ends its input after some more; rows keep their order.
 *
 * @param id metrics number
 * @param child the input
 * @param offset how many rows are left out, from 0
 * @param count how many rows follow at most, from 0; {@link
 *     io.ariadne.operator.limit.LimitOperatorFactory#ALL} for all
 */
public record LimitNode(int id, PlanNode child, long offset, long count) implements PlanNode {
  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }

  @Override
  public Schema schema() {
    return child.schema();
  }
}
