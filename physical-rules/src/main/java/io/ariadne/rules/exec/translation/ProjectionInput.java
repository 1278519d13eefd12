package io.ariadne.rules.exec.translation;

import io.ariadne.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;

/**
 * A projection that has not been computed yet.
 *
 * @param node the plan of the projection's input
 * @param columns Spark's names of that plan's columns, by position
 * @param projections Spark's output expressions over the columns, with results in place of
 *     subqueries
 */
public record ProjectionInput(
    PlanNode node, List<Attribute> columns, List<NamedExpression> projections) {
  /** Copies the lists. */
  public ProjectionInput {
    columns = List.copyOf(columns);
    projections = List.copyOf(projections);
  }

  /** Returns a projection with some of this one's columns. */
  public ProjectionInput choose(List<? extends NamedExpression> chosen) {
    return new ProjectionInput(
        node, columns, chosen.stream().map(column -> projection(column.exprId())).toList());
  }

  /** Returns this projection with one more output expression, the last. */
  public ProjectionInput with(NamedExpression added) {
    List<NamedExpression> all = new ArrayList<>(projections);
    all.add(added);
    return new ProjectionInput(node, columns, all);
  }

  private NamedExpression projection(ExprId column) {
    return projections.stream()
        .filter(projection -> projection.exprId().equals(column))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(column + " is not in " + projections));
  }
}
