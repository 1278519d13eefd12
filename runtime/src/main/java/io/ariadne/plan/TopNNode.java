package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.sort.SortColumn;
import java.util.List;

/**
 * Yields the first rows of the task in a sort order, in that order.
 *
 * @param id metrics id
 * @param child the input
 * @param columns the sort keys, as for {@link SortNode}
 * @param limit how many rows to yield, at least 0
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
