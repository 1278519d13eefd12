package io.ariadne.operator.aggregate;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateSupport;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperatorFactory;
import java.util.List;

/**
 * Creates {@link HashAggregateOperator}s. Immutable and thread-safe; the operators share compiled
 * programs.
 */
public final class HashAggregateOperatorFactory implements SinkOperatorFactory {
  private final HashAggregatePlan plan;

  /**
   * Plans an aggregation.
   *
   * @param yieldsResults whether the output has results instead of buffers
   * @param input columns of the batches
   * @param condition BOOLEAN over the input: rows to aggregate; null for all
   * @param keys grouping expressions over the input, at most 16; none for a single row
   * @param aggregates the aggregates
   * @param output names and types of the output: keys, then for each aggregate its buffer columns
   *     or its result
   * @param origin number under which keys and arguments are replayed, in order, on a row for which
   *     one of them fails, or -1
   */
  public HashAggregateOperatorFactory(
      boolean yieldsResults,
      Schema input,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> aggregates,
      Schema output,
      int origin) {
    this(yieldsResults, input, condition, keys, aggregates, output, origin, null);
  }

  /** Plans an aggregation without an origin. The arguments are those of the full constructor. */
  public HashAggregateOperatorFactory(
      boolean yieldsResults,
      Schema input,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> aggregates,
      Schema output) {
    this(yieldsResults, input, condition, keys, aggregates, output, ExpressionError.NO_ORIGIN);
  }

  /** Plans an aggregation with limits on a driver's table; null for the limits of the back end. */
  HashAggregateOperatorFactory(
      boolean yieldsResults,
      Schema input,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> aggregates,
      Schema output,
      int origin,
      GroupLimits limits) {
    if (keys.size() > AggregateSupport.MAX_KEYS) {
      throw new IllegalArgumentException(keys.size() + " keys, at most 16 are supported");
    }
    this.plan =
        new HashAggregatePlan(
            yieldsResults, input, condition, keys, aggregates, output, origin, limits);
  }

  /**
   * Returns whether the results depend on the order of rows. Then there must be one local state,
   * which gets the batches in order.
   */
  public boolean dependsOnOrder() {
    return plan.dependsOnOrder();
  }

  /** They read keys and arguments. */
  @Override
  public ColumnUse columnUse() {
    return ColumnUse.KERNELS;
  }

  @Override
  public HashAggregateOperator create(OperatorContext context) {
    return new HashAggregateOperator(plan, context);
  }
}
