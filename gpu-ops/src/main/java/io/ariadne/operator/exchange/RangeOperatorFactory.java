package io.ariadne.operator.exchange;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.sort.SortColumn;
import java.util.List;

/** Creates {@link RangeOperator}s. Immutable and thread-safe. */
public final class RangeOperatorFactory implements OperatorFactory {
  private final RangeSpec spec;
  private final Schema schema;

  /**
   * Plans an operator.
   *
   * @param input columns of the batches
   * @param width how many of them, from the first on, are in the output; the other ones are only
   *     keys
   * @param columns the keys, the most significant first; at least one, of types that {@link
   *     io.ariadne.kernel.sort.SortKey#supports} accepts
   * @param bounds the distinct bounds between the ranges, in the order of the keys; keys as {@link
   *     io.ariadne.operator.sort.RowKeys#at} returns them
   */
  public RangeOperatorFactory(
      Schema input, int width, List<SortColumn> columns, List<Object[]> bounds) {
    this.spec = new RangeSpec(input, width, columns, bounds);
    this.schema = PartitionOperatorFactory.withPartitionColumn(input, width);
  }

  @Override
  public ColumnUse columnUse() {
    return ColumnUse.HOST;
  }

  @Override
  public RangeOperator create(OperatorContext context) {
    return new RangeOperator(spec, schema, context);
  }

  @Override
  public boolean isReplaceable() {
    return true;
  }
}
