package io.ariadne.operator.sort;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkOperatorFactory;
import java.util.List;

/**
 * Makes sinks that keep the first rows of an order, and put them out in it. Of rows with equal keys
 * at the end any are kept.
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
   * @param columns what rows are ordered by, as for {@link SortOperatorFactory}
   * @param limit how many rows to keep, from 0; when they are many or large, all are sorted
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
  public SinkOperator create(OperatorContext context) {
    return new TopNOperator(spec, limit, patience, limits, context);
  }
}
