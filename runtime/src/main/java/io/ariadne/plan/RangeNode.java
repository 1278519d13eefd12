package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.exchange.PartitionOperatorFactory;
import io.ariadne.operator.sort.SortColumn;
import java.util.List;

/**
 * Appends to every row the number of the range that its keys are in.
 *
 * @param id metrics id
 * @param child the input
 * @param width how many of its columns, from the first, are in the output; further columns serve as
 *     keys only
 * @param columns the keys, most significant first; at least one, of types for which {@link
 *     io.ariadne.kernel.sort.SortKey#supports} holds
 * @param bounds bounds between the ranges, in the order of the keys and distinct; keys as {@link
 *     io.ariadne.operator.sort.RowKeys#at} returns them, not to be modified
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
