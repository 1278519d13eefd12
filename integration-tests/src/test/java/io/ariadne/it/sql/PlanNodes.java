package io.ariadne.it.sql;

import io.ariadne.bridge.ScalaCollections;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;

/** Lists the nodes of a final plan, including query stages, subqueries and reused exchanges. */
final class PlanNodes {
  private PlanNodes() {}

  /**
   * Returns the nodes of a kind, those above first, then those on the left; what several parts of
   * the plan use once.
   */
  static <P> List<P> of(SparkPlan plan, Class<P> kind) {
    Set<SparkPlan> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    return all(plan, seen).filter(kind::isInstance).map(kind::cast).toList();
  }

  private static Stream<SparkPlan> all(SparkPlan plan, Set<SparkPlan> seen) {
    if (!seen.add(plan)) {
      return Stream.of();
    }
    Stream<SparkPlan> subqueries =
        ScalaCollections.<QueryPlan<?>>list(plan.subqueries()).stream().map(SparkPlan.class::cast);
    return Stream.concat(
        Stream.of(plan),
        Stream.concat(below(plan).stream(), subqueries).flatMap(each -> all(each, seen)));
  }

  private static List<SparkPlan> below(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return List.of(adaptive.executedPlan());
    }
    if (plan instanceof QueryStageExec stage) {
      return List.of(stage.plan());
    }
    return plan instanceof ReusedExchangeExec reused
        ? List.of(reused.child())
        : ScalaCollections.list(plan.children());
  }
}
