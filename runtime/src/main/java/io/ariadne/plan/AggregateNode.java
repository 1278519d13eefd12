package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateMode;
import io.ariadne.expression.Expression;
import java.util.List;

/**
 * Hash aggregation. Output columns: the keys, then per aggregate its buffer columns (modes that end
 * in buffers) or its result (modes that end in results).
 *
 * @param id metrics number
 * @param child the input
 * @param mode which part of the aggregation
 * @param keys grouping expressions over the child's schema; none for a global aggregate, which
 *     yields one row also for no input
 * @param aggregates the aggregates
 * @param schema the output columns
 */
public record AggregateNode(
    int id,
    PlanNode child,
    AggregateMode mode,
    List<Expression> keys,
    List<AggregateCall> aggregates,
    Schema schema)
    implements PlanNode {
  /** Copies the lists. */
  public AggregateNode {
    keys = List.copyOf(keys);
    aggregates = List.copyOf(aggregates);
  }

  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }
}
