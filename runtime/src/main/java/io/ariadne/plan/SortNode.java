package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.sort.SortColumn;
import java.util.List;

/**
 * Sorts all rows of the task. Rows with equal keys come in any order.
 *
 * @param id metrics id
 * @param child the input
 * @param columns the sort keys, most significant first; at least one, of types for which {@link
 *     io.ariadne.kernel.sort.SortKey#supports} holds
 */
public record SortNode(int id, PlanNode child, List<SortColumn> columns) implements PlanNode {
  /** Copies the list. */
  public SortNode {
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
