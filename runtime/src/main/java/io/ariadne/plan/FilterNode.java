package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import java.util.List;

/**
 * Keeps the rows for which a condition is true.
 *
 * @param id metrics number
 * @param child the input
 * @param condition BOOLEAN over the child's schema; null counts as false
 */
public record FilterNode(int id, PlanNode child, Expression condition) implements PlanNode {
  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }

  @Override
  public Schema schema() {
    return child.schema();
  }
}
