package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;

/**
 * The columns from which an aggregate's result is computed. When that fails, Spark's expression is
 * evaluated again on them.
 *
 * @param columns the keys, then the buffers of all aggregates of the node, in their order
 * @param buffers the aggregate's own buffers among the columns
 */
public record ResultColumns(List<Attribute> columns, List<Attribute> buffers) {
  /** Copies the lists. */
  public ResultColumns {
    columns = List.copyOf(columns);
    buffers = List.copyOf(buffers);
  }

  /** Returns the columns of each aggregate of a node. */
  public static List<ResultColumns> of(
      List<NamedExpression> keys, List<AggregateExpression> aggregates) {
    List<Attribute> columns = new ArrayList<>();
    keys.forEach(key -> columns.add(key.toAttribute()));
    List<List<Attribute>> buffers = new ArrayList<>();
    for (AggregateExpression aggregate : aggregates) {
      // With ids of their own, as a function may stand in a node twice.
      List<Attribute> own =
          attributes(aggregate.aggregateFunction()).stream().map(Attribute::newInstance).toList();
      buffers.add(own);
      columns.addAll(own);
    }
    return buffers.stream().map(own -> new ResultColumns(columns, own)).toList();
  }

  /** Returns a part of a function's evaluation over the columns. */
  Expression over(Expression part, AggregateFunction function) {
    List<Attribute> known = attributes(function);
    return ExpressionParts.rewrite(
        part,
        each -> each instanceof Attribute attribute && positionOf(attribute, known) >= 0,
        each -> (Expression) buffers.get(positionOf((Attribute) each, known)));
  }

  private static int positionOf(Attribute attribute, List<Attribute> known) {
    return ExpressionParts.positionOf(attribute, known);
  }

  private static List<Attribute> attributes(AggregateFunction function) {
    return ScalaCollections.list(function.aggBufferAttributes());
  }
}
