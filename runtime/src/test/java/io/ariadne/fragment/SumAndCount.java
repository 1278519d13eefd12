package io.ariadne.fragment;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.Expression;
import io.ariadne.plan.AggregateNode;
import io.ariadne.plan.PlanNode;
import java.util.List;

/** Plans {@code SELECT keys, sum(value), count(*) GROUP BY keys}. */
final class SumAndCount {
  private SumAndCount() {}

  /**
   * Returns a whole aggregation.
   *
   * @param id number of the node
   * @param output the keys, then a sum and a count
   */
  static AggregateNode of(
      int id, PlanNode child, List<Expression> keys, Expression value, Schema output) {
    Field sum = output.field(keys.size());
    Field count = output.field(keys.size() + 1);
    return new AggregateNode(
        id,
        child,
        true,
        keys,
        List.of(
            AggregateCall.of(AggregateFunction.SUM, List.of(value), sum),
            AggregateCall.of(AggregateFunction.COUNT, List.of(), count)),
        output);
  }
}
