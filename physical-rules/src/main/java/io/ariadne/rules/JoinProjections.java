package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.exec.AriadneProjectExec;
import io.ariadne.rules.exec.translation.JoinShape;
import io.ariadne.rules.exec.translation.PostponedProjection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.exchange.Exchange;

/** Decides which projections below one of Ariadne's joins are computed after the join. */
final class JoinProjections {
  private JoinProjections() {}

  /**
   * Returns whether a projection below a join may be computed after the join, where it may raise,
   * so that it is computed only for rows that the join does not drop. This is not possible for a
   * projection of the build side, for columns that the join's condition reads, and where the join
   * finally emits rows of the build side, perhaps with nulls in place of the projection's values.
   *
   * @param join a join that converts
   * @param child one of its inputs, which converts
   */
  static boolean computesBehind(PlanTag join, PlanTag child) {
    JoinShape shape = JoinRules.shape(join);
    if (shape.marksBuildRows() || child != probe(join)) {
      return false;
    }
    Set<ExprId> postponed = postponed(child).collect(Collectors.toSet());
    return (isJoin(child) || projects(child.plan()))
        && shape.conditionReferences().stream()
            .noneMatch(column -> postponed.contains(column.exprId()));
  }

  /**
   * Returns whether a projection in an input of a join may raise for rows that the join drops.
   * Spark computes a projected value only when the join uses it.
   */
  static boolean mayRaise(SparkPlan input) {
    if (input instanceof SortExec || input instanceof Exchange) {
      return false;
    }
    return projections(input).stream().anyMatch(PostponedProjection::mayRaise)
        || (!(input instanceof BaseAggregateExec)
            && ScalaCollections.<SparkPlan>list(input.children()).stream()
                .anyMatch(JoinProjections::mayRaise));
  }

  /** Returns whether a converted node leaves the projections below it to the node above. */
  static boolean passesOn(PlanTag tag) {
    return tag.plan() instanceof ProjectExec project
        && tag.converts()
        && AriadneProjectExec.isChoice(ScalaCollections.list(project.projectList()));
  }

  private static PlanTag probe(PlanTag join) {
    return join.children().get(JoinRules.shape(join).buildsLeft() ? 1 : 0);
  }

  private static boolean isJoin(PlanTag tag) {
    return tag.converts() && JoinRules.isJoin(tag);
  }

  /** Spark has one row of an aggregation without groups at once. */
  private static boolean projects(SparkPlan plan) {
    return plan instanceof ProjectExec
        || (plan instanceof BaseAggregateExec aggregate
            && !aggregate.groupingExpressions().isEmpty());
  }

  /** Returns the columns of a node that the join above computes. */
  private static Stream<ExprId> postponed(PlanTag tag) {
    if (passesOn(tag)) {
      return postponed(tag.children().get(0));
    }
    return isJoin(tag)
        ? postponed(probe(tag))
        : projections(tag.plan()).stream()
            .filter(PostponedProjection::mayRaise)
            .map(NamedExpression::exprId);
  }

  private static List<NamedExpression> projections(SparkPlan plan) {
    if (plan instanceof ProjectExec project) {
      return ScalaCollections.list(project.projectList());
    }
    return plan instanceof BaseAggregateExec aggregate
        ? ScalaCollections.list(aggregate.resultExpressions())
        : List.of();
  }
}
