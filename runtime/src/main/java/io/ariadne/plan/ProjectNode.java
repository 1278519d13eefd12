package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import java.util.List;

/**
 * Computes columns.
 *
 * @param id metrics id
 * @param child the input
 * @param expressions one per output column, over the child's schema
 * @param schema the output columns
 * @param origin number under which all expressions are replayed, in order, on a row for which one
 *     of them fails; -1 for none
 */
public record ProjectNode(
    int id, PlanNode child, List<Expression> expressions, Schema schema, int origin)
    implements PlanNode {
  /** Copies the list. */
  public ProjectNode {
    expressions = List.copyOf(expressions);
  }

  /** Creates a node without an origin; arguments as in the full constructor. */
  public ProjectNode(int id, PlanNode child, List<Expression> expressions, Schema schema) {
    this(id, child, expressions, schema, ExpressionError.NO_ORIGIN);
  }

  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }
}
