package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import java.util.List;

/**
 * Computes columns.
 *
 * @param id metrics number
 * @param child the input
 * @param expressions one per output column, over the child's schema
 * @param schema the output columns
 */
public record ProjectNode(int id, PlanNode child, List<Expression> expressions, Schema schema)
    implements PlanNode {
  /** Copies the list. */
  public ProjectNode {
    expressions = List.copyOf(expressions);
  }

  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }
}
