package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import java.util.List;

/**
 * Yields every row several times, each time with another projection.
 *
 * @param id metrics id
 * @param child the input
 * @param projections at least one list, with one expression over the child's schema per output
 *     column; none may raise an error
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
