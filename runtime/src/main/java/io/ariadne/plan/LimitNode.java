package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import java.util.List;

/**
 * Skips the first rows of the task and ends its input after a number of further rows; rows keep
 * their order.
 *
 * @param id metrics id
 * @param child the input
 * @param offset how many rows to skip, at least 0
 * @param count how many rows follow at most, at least 0; {@link
 *     io.ariadne.operator.LimitOperatorFactory#ALL} for all
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
