package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.exchange.PartitionOperatorFactory;
import io.ariadne.operator.sort.SortColumn;
import java.util.List;

/**
 * Appends to every row the number of the range of keys it lies in.
 *
 * @param id metrics number
 * @param child the input
 * @param width how many of its columns, from the first on, go on; others serve as keys only
 * @param columns the keys, the most significant first; at least one, of types for which {@link
 *     io.ariadne.kernel.sort.SortKey#supports} holds
 * @param bounds between the ranges, in the order of the keys, none equal to another; keys as {@link
 *     io.ariadne.operator.sort.RowKeys#at} returns them, not to be changed
 */
public record RangeNode(
    int id, PlanNode child, int width, List<SortColumn> columns, List<Object[]> bounds)
    implements PlanNode {
  /** Copies the lists. */
  public RangeNode {
    columns = List.copyOf(columns);
    bounds = List.copyOf(bounds);
  }

  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }

  @Override
  public Schema schema() {
    return PartitionOperatorFactory.withPartitionColumn(child.schema(), width);
  }
}
