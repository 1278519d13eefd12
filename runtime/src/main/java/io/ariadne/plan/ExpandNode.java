package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import java.util.List;

/**
 * Puts every row out several times, each time projected in another way.
 *
 * @param id metrics number
 * @param child the input
 * @param projections at least one list of an expression over the child's schema per output column;
 *     none may raise
 * @param schema the output columns
 */
public record ExpandNode(int id, PlanNode child, List<List<Expression>> projections, Schema schema)
    implements PlanNode {
  /** Copies the lists. */
  public ExpandNode {
    projections = projections.stream().map(List::copyOf).toList();
  }

  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }
}
