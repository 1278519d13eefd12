package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import java.util.List;

/**
 * Hash aggregation. Each aggregate consumes values or buffers, as its call says; either all of them
 * yield buffers or all of them yield results. Output columns: the keys, then per aggregate its
 * buffer columns or its result.
 *
 * @param id metrics id
 * @param child the input
 * @param yieldsResults whether the output has results instead of buffers
 * @param keys grouping expressions over the child's schema; empty for a global aggregate, which
 *     yields one row even for no input
 * @param aggregates the aggregates
 * @param schema the output columns
 * @param origin number under which keys and arguments are replayed, in order, on a row for which
 *     one of them fails; -1 for none
 */
public record AggregateNode(
    int id,
    PlanNode child,
    boolean yieldsResults,
    List<Expression> keys,
    List<AggregateCall> aggregates,
    Schema schema,
    int origin)
    implements PlanNode {
  /** Copies the lists. */
  public AggregateNode {
    keys = List.copyOf(keys);
    aggregates = List.copyOf(aggregates);
  }

  /** Creates a node without an origin; arguments as in the full constructor. */
  public AggregateNode(
      int id,
      PlanNode child,
      boolean yieldsResults,
      List<Expression> keys,
      List<AggregateCall> aggregates,
      Schema schema) {
    this(id, child, yieldsResults, keys, aggregates, schema, ExpressionError.NO_ORIGIN);
  }

  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }

  @Override
  public boolean isBreaker() {
    return true;
  }
}
