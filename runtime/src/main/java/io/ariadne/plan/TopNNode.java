package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.sort.SortColumn;
import java.util.List;

/**
 * Keeps the first rows of an order among all of the task, in that order.
 *
 * @param id metrics number
 * @param child the input
 * @param columns what rows are ordered by, as for {@link SortNode}
 * @param limit how many rows to keep, from 0
 */
public record TopNNode(int id, PlanNode child, List<SortColumn> columns, int limit)
    implements PlanNode {
  /** Copies the list. */
  public TopNNode {
    columns = List.copyOf(columns);
  }

  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }

  @Override
  public Schema schema() {
    return child.schema();
  }

  @Override
  public boolean isBreaker() {
    return true;
  }
}
