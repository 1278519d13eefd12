package io.ariadne.rules;

import io.ariadne.bridge.node.AriadneBroadcastExchangeExec;
import io.ariadne.bridge.node.AriadneCollectedResultExec;
import io.ariadne.bridge.node.AriadneExec;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.rules.exec.AriadneBroadcastExec;
import io.ariadne.rules.exec.AriadneColumnarToRowExec;
import io.ariadne.rules.exec.AriadneCrossInputExec;
import io.ariadne.rules.exec.AriadneFragmentExec;
import io.ariadne.rules.exec.AriadneImportExec;
import org.apache.spark.sql.execution.CollectLimitExec;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.RowToColumnarExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec;
import org.apache.spark.sql.execution.exchange.Exchange;

/**
 * Replaces the transitions between rows and columns that Spark has inserted around fragments.
 *
 * <p>A transition from rows below an import is removed, because the import reads rows itself. A
 * transition to rows becomes Ariadne's below readers of whole rows: Spark's driver, exchanges,
 * sorts, and limits at the root. Below other nodes it stays Spark's, because their generated code
 * reads columns without making rows of them. Below one of Ariadne's broadcasts, which to Spark is a
 * node of rows, it is removed.
 */
final class RowTransitions {
  private RowTransitions() {}

  /** Returns a plan with our transitions. */
  static SparkPlan replace(SparkPlan plan) {
    return replace(
        AdaptiveExchanges.isStage(plan) ? ((ColumnarToRowExec) plan).child() : plan, null);
  }

  private static SparkPlan replace(SparkPlan plan, SparkPlan parent) {
    SparkPlan replaced = PlanChildren.map(plan, child -> replacedInput(child, plan));
    return replaced instanceof ColumnarToRowExec transition
            && (isStageOfOurs(transition.child())
                || (transition.child() instanceof AriadneExec && wantsRows(parent)))
        ? new AriadneColumnarToRowExec(transition.child()).takeTagsFrom(transition)
        : replaced;
  }

  private static SparkPlan replacedInput(SparkPlan child, SparkPlan parent) {
    SparkPlan replaced = replace(child, parent);
    if (readsRowsItself(parent) && replaced instanceof RowToColumnarExec transition) {
      return transition.child();
    }
    return parent instanceof AriadneBroadcastExchangeExec
            && replaced instanceof AriadneColumnarToRowExec transition
        ? transition.child()
        : replaced;
  }

  private static boolean readsRowsItself(SparkPlan plan) {
    return plan instanceof AriadneImportExec
        || plan instanceof AriadneCrossInputExec
        || plan instanceof AriadneBroadcastExec
        || (plan instanceof AriadneFragmentExec exec && exec.isLeaf());
  }

  /**
   * Returns whether a plan is a finished stage of Ariadne's, or a node that reads such a stage.
   * Spark's transition above these cannot stay: a stage has the canonical form of the exchange in
   * rows that Spark planned, but the transition requires columns.
   */
  static boolean isStageOfOurs(SparkPlan plan) {
    if (plan instanceof AQEShuffleReadExec read) {
      return isStageOfOurs(read.child());
    }
    return plan instanceof ShuffleQueryStageExec stage
        && stage.shuffle() instanceof AriadneShuffleExchangeExec;
  }

  private static boolean wantsRows(SparkPlan parent) {
    return parent == null
        || parent instanceof AriadneCollectedResultExec
        || parent instanceof CollectLimitExec
        || parent instanceof Exchange
        || parent instanceof SortExec
        || parent instanceof TakeOrderedAndProjectExec;
  }
}
