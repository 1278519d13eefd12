package io.ariadne.rules;

import io.ariadne.bridge.node.BroadcastRowsExec;
import io.ariadne.rules.exec.AriadneBroadcastExec;
import org.apache.spark.sql.catalyst.plans.physical.BroadcastPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.IdentityBroadcastMode$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;

/**
 * Puts a {@link BroadcastRowsExec} below each of Spark's nodes that reads a broadcast as an array
 * of rows, so that the broadcast may be columnar.
 *
 * <p>Spark plans a broadcast before its readers are known. With adaptive execution the broadcast is
 * a stage, which joins planned later reuse. Without it, Spark replaces one broadcast by the reuse
 * of another after plans are converted. So every reader of rows gets such a node, whatever is below
 * it, in every plan that may contain one of Ariadne's broadcasts.
 */
final class RowBroadcasts {
  private RowBroadcasts() {}

  /**
   * Returns a plan in which Spark's nodes read broadcasts as arrays of rows.
   *
   * @param plan a plan after all conversions
   * @param mayBeReplaced whether a broadcast of Ariadne's may later replace a broadcast of Spark's
   *     that is no finished stage
   */
  static SparkPlan read(SparkPlan plan, boolean mayBeReplaced) {
    return PlanChildren.map(
        plan,
        child -> {
          SparkPlan below = read(child, mayBeReplaced);
          return !takesColumns(plan) && isArray(below) && mayBeOurs(below, mayBeReplaced)
              ? new BroadcastRowsExec(below)
              : below;
        });
  }

  private static boolean takesColumns(SparkPlan plan) {
    return plan instanceof AriadneBroadcastExec || plan instanceof BroadcastRowsExec;
  }

  private static boolean isArray(SparkPlan plan) {
    return AriadneBroadcastExec.isBroadcast(plan)
        && plan.outputPartitioning() instanceof BroadcastPartitioning partitioning
        && isArray(partitioning);
  }

  private static boolean isArray(BroadcastPartitioning partitioning) {
    return partitioning.mode() == IdentityBroadcastMode$.MODULE$;
  }

  /** A finished stage stays as it is. */
  private static boolean mayBeOurs(SparkPlan broadcast, boolean mayBeReplaced) {
    return BroadcastRowsExec.isOurs(broadcast)
        || (mayBeReplaced && !(broadcast instanceof QueryStageExec));
  }

  /**
   * Returns whether a plan is a broadcast that its reader, in a plan Ariadne does not see, takes as
   * an array.
   */
  static boolean isForUnknown(SparkPlan plan) {
    return plan instanceof BroadcastExchangeExec exchange
        && exchange.mode() == IdentityBroadcastMode$.MODULE$
        && !AdaptiveExchanges.isMarked(exchange);
  }
}
