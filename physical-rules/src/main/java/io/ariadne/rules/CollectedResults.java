package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneCollectedResultExec;
import io.ariadne.bridge.node.OnePartitionExec;
import io.ariadne.bridge.node.PartitionedPlan;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.execution.CollectMetricsExec;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Gives a plan two forms where Ariadne computes all of its rows in one task: that task for Spark's
 * driver, which collects all rows at once, and Spark's partitions for every other consumer. The
 * plan's root, an {@link AriadneCollectedResultExec}, chooses when Spark executes it.
 */
final class CollectedResults {
  private CollectedResults() {}

  /**
   * Returns whether a plan may have two forms. Spark finds the metrics of observations only in the
   * form for the driver, and replaces subqueries before it calls Ariadne's rules, so plans with
   * either keep Spark's partitions.
   *
   * @param plan a whole one, or the last stage of an adaptive one
   */
  static boolean mayHaveTwoForms(SparkPlan plan) {
    return PartitionedPlan.isAllowed()
        && !exists(plan, node -> node instanceof CollectMetricsExec || hasSubquery(node));
  }

  private static boolean exists(SparkPlan plan, Predicate<SparkPlan> condition) {
    return condition.test(plan)
        || ScalaCollections.<SparkPlan>list(plan.children()).stream()
            .anyMatch(child -> exists(child, condition));
  }

  private static boolean hasSubquery(SparkPlan plan) {
    return ScalaCollections.<Expression>list(plan.expressions()).stream()
        .anyMatch(CollectedResults::hasSubquery);
  }

  private static boolean hasSubquery(Expression expression) {
    return expression instanceof PlanExpression<?>
        || ScalaCollections.<Expression>list(expression.children()).stream()
            .anyMatch(CollectedResults::hasSubquery);
  }

  /**
   * Adds the root to a converted plan that needs it.
   *
   * @param plan as Spark planned it: a whole one, or one stage of an adaptive one
   * @param tag what was decided about the plan
   * @param converted the plan after its conversion
   */
  static SparkPlan withRoot(SparkPlan plan, PlanTag tag, SparkPlan converted) {
    SparkPlan partitioned = withExchanges(plan);
    return partitioned != plan || SingleTaskNestedLoopRule.showsOnePartition(tag)
        ? new AriadneCollectedResultExec(new PartitionedPlan(partitioned), converted)
        : converted;
  }

  /** Returns a plan with the exchanges that only the form for Spark's driver does without. */
  static SparkPlan withExchanges(SparkPlan plan) {
    if (plan instanceof OnePartitionExec one && one.onlyCollected()) {
      return one.exchange();
    }
    return PlanChildren.map(plan, CollectedResults::withExchanges);
  }
}
