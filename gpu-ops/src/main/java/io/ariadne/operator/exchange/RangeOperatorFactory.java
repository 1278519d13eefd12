package io.ariadne.operator.exchange;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.sort.SortColumn;
import java.util.List;

/** Makes {@link RangeOperator}s. Immutable and thread-safe. */
public final class RangeOperatorFactory implements OperatorFactory {
  private final RangeSpec spec;
  private final Schema schema;

  /**
   * Plans an operator.
   *
   * @param input columns of the batches
   * @param width how many of them, from the first on, go on; others serve as keys only
   * @param columns the keys, the most significant first; at least one, of types for which {@link
   *     io.ariadne.kernel.sort.SortKey#supports} holds
   * @param bounds between the ranges, in the order of the keys, none equal to another; keys as
   *     {@link io.ariadne.operator.sort.RowKeys#at} returns them
   */
  public RangeOperatorFactory(
      Schema input, int width, List<SortColumn> columns, List<Object[]> bounds) {
    this.spec = new RangeSpec(input, width, columns, bounds);
    this.schema = PartitionOperatorFactory.placed(input, width);
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
