package io.ariadne.rules.partial;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;

/** Finds the shuffles that the execution of a plan has made, also if it has failed. */
final class BegunShuffles {
  /** The metric that exchanges, Spark's and Ariadne's, set when they have made their shuffle. */
  private static final String PARTITIONS = "numPartitions";

  private BegunShuffles() {}

  /**
   * Returns Spark's numbers of the shuffles, those of subqueries and of the build sides of
   * broadcasts too. An exchange that was not executed has none, and gets none by this.
   */
  static Set<Integer> of(SparkPlan plan) {
    Set<Integer> found = new HashSet<>();
    add(plan, found);
    return found;
  }

  private static void add(SparkPlan plan, Set<Integer> found) {
    if (plan instanceof AriadneShuffleExchangeExec exchange && isMade(plan)) {
      found.add(exchange.shuffleId());
    } else if (plan instanceof ShuffleExchangeExec exchange && isMade(plan)) {
      found.add(exchange.shuffleDependency().shuffleId());
    }
    ScalaCollections.<SparkPlan>list(plan.children()).forEach(child -> add(child, found));
    ScalaCollections.<SparkPlan>list(plan.subqueries()).forEach(query -> add(query, found));
  }

  private static boolean isMade(SparkPlan exchange) {
    return exchange.longMetric(PARTITIONS).value() > 0;
  }
}
