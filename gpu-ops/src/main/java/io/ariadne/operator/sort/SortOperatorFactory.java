package io.ariadne.operator.sort;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkOperatorFactory;
import java.util.List;

/**
 * Makes sinks that sort all rows. Rows with equal keys come in any order.
 *
 * <p>Rows are sorted in runs, which are spillable. The splits of the output merge the runs, each in
 * one range of the keys.
 */
public final class SortOperatorFactory implements SinkOperatorFactory {
  private final SortSpec spec;
  private final SortLimits limits;

  /**
   * Creates a factory.
   *
   * @param schema columns of input and output
   * @param columns the sort columns, the most significant first; at least one, of types for which
   *     {@link io.ariadne.kernel.sort.SortKey#supports} holds
   */
  public SortOperatorFactory(Schema schema, List<SortColumn> columns) {
    this(schema, columns, SortLimits.DEFAULT);
  }

  SortOperatorFactory(Schema schema, List<SortColumn> columns, SortLimits limits) {
    this.spec = new SortSpec(schema, columns);
    this.limits = limits;
  }

  @Override
  public ColumnUse columnUse() {
    return ColumnUse.HOST;
  }

  @Override
  public SinkOperator create(OperatorContext context) {
    return new SortOperator(spec, limits, context);
  }
}
