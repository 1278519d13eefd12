package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneCollectedResultExec;
import io.ariadne.bridge.node.OnePartitionExec;
import io.ariadne.bridge.node.PartitionedPlan;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Gives a plan two forms where Ariadne computes all of its rows in one task: that task for Spark's
 * driver, which collects all rows at once, and Spark's partitions for every other consumer. The
 * plan's root, a {@link AriadneCollectedResultExec}, decides when it is executed.
 */
final class CollectedResults {
  private CollectedResults() {}

  /**
   * Adds the root to a converted plan that needs it.
   *
   * @param plan as Spark planned it: a whole one, or one stage of an adaptive one
   * @param tag what was decided about the plan
   * @param converted the plan after its conversion
   */
  static SparkPlan guard(SparkPlan plan, PlanTag tag, SparkPlan converted) {
    if (!AriadneCollectedResultExec.isAllowed()) {
      return converted;
    }
    SparkPlan partitioned = withExchanges(plan);
    return partitioned != plan || SingleTaskNestedLoopRule.showsOnePartition(tag)
        ? new AriadneCollectedResultExec(new PartitionedPlan(partitioned), converted)
        : converted;
  }

  private static SparkPlan withExchanges(SparkPlan plan) {
    if (plan instanceof OnePartitionExec one && one.onlyCollected()) {
      return one.exchange();
    }
    List<SparkPlan> children = new ArrayList<>();
    boolean isChanged = false;
    for (SparkPlan child : ScalaCollections.<SparkPlan>list(plan.children())) {
      SparkPlan replaced = withExchanges(child);
      isChanged |= replaced != child;
      children.add(replaced);
    }
    return isChanged ? plan.withNewChildren(ScalaCollections.seq(children)) : plan;
  }

  /**
   * Returns the most bytes of files whose rows one task may sort for Spark's driver: the limit of
   * one job's result. Of larger files either few rows pass the filters, which several tasks apply
   * as well as one task, or the job fails, as it would with several tasks.
   */
  static long maxBytes(SparkConf conf) {
    long max = conf.getSizeAsBytes("spark.driver.maxResultSize", "1g");
    return max == 0 ? Long.MAX_VALUE : max;
  }
}
