package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import java.util.List;

/**
 * Keeps the rows for which a condition is true.
 *
 * @param id metrics id
 * @param child the input
 * @param condition BOOLEAN over the child's schema; null counts as false
 * @param origin number under which the condition is replayed on a row for which it fails; -1 for
 *     none
 */
public record FilterNode(int id, PlanNode child, Expression condition, int origin)
    implements PlanNode {
  /** Creates a node without an origin; arguments as in the full constructor. */
  public FilterNode(int id, PlanNode child, Expression condition) {
    this(id, child, condition, ExpressionError.NO_ORIGIN);
  }

  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }

  @Override
  public Schema schema() {
    return child.schema();
  }
}
