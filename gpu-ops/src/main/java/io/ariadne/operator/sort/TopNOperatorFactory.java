package io.ariadne.operator.sort;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkOperatorFactory;
import java.util.List;

/**
 * Makes sinks that keep the first rows of an order and yield them in order. Of rows whose keys
 * equal the last wanted key, any are kept.
 */
public final class TopNOperatorFactory implements SinkOperatorFactory {
  private final SortSpec spec;
  private final int limit;
  private final int patience;
  private final SortLimits limits;

  /**
   * Creates a factory.
   *
   * @param schema columns of input and output
   * @param columns the sort columns, as for {@link SortOperatorFactory}
   * @param limit how many rows to keep, at least 0; many or large rows are sorted in runs
   */
  public TopNOperatorFactory(Schema schema, List<SortColumn> columns, int limit) {
    this(schema, columns, limit, TopNState.PATIENCE, SortLimits.DEFAULT);
  }

  TopNOperatorFactory(
      Schema schema, List<SortColumn> columns, int limit, int patience, SortLimits limits) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit " + limit);
    }
    this.spec = new SortSpec(schema, columns);
    this.limit = limit;
    this.patience = patience;
    this.limits = limits;
  }

  @Override
  public ColumnUse columnUse() {
    return ColumnUse.HOST;
  }

  @Override
  public SinkOperator create(OperatorContext context) {
    return new TopNOperator(spec, limit, patience, limits, context);
  }
}
