package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneBroadcastExchangeExec;
import io.ariadne.bridge.node.AriadneCollectedResultExec;
import io.ariadne.bridge.node.AriadneExec;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.rules.exec.AriadneBroadcastExec;
import io.ariadne.rules.exec.AriadneColumnarToRowExec;
import io.ariadne.rules.exec.AriadneCrossInputExec;
import io.ariadne.rules.exec.AriadneFragmentExec;
import io.ariadne.rules.exec.AriadneImportExec;
import java.util.ArrayList;
import java.util.List;
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
 * Replaces the transitions between rows and columns that Spark has put around fragments.
 *
 * <p>That from rows below an import goes: the import reads rows itself. That to rows becomes ours
 * where whole rows are wanted: by the driver, exchanges, sorts and limits at the root. Below other
 * nodes it stays, as their generated code reads columns without making rows of them. Below a
 * broadcast of ours, a node of rows to Spark, it goes.
 */
final class RowTransitions {
  private RowTransitions() {}

  /** Returns a plan with our transitions. */
  static SparkPlan replace(SparkPlan plan) {
    return replace(
        AdaptiveExchanges.isStage(plan) ? ((ColumnarToRowExec) plan).child() : plan, null);
  }

  private static SparkPlan replace(SparkPlan plan, SparkPlan parent) {
    List<SparkPlan> children = new ArrayList<>();
    boolean isChanged = false;
    for (SparkPlan child : ScalaCollections.<SparkPlan>list(plan.children())) {
      SparkPlan replaced = replace(child, plan);
      if (readsRowsItself(plan) && replaced instanceof RowToColumnarExec transition) {
        replaced = transition.child();
      }
      if (plan instanceof AriadneBroadcastExchangeExec
          && replaced instanceof AriadneColumnarToRowExec transition) {
        replaced = transition.child();
      }
      isChanged |= replaced != child;
      children.add(replaced);
    }
    SparkPlan replaced = isChanged ? plan.withNewChildren(ScalaCollections.seq(children)) : plan;
    return replaced instanceof ColumnarToRowExec transition
            && (isStageOfOurs(transition.child())
                || (transition.child() instanceof AriadneExec && wantsRows(parent)))
        ? new AriadneColumnarToRowExec(transition.child()).takeTagsFrom(transition)
        : replaced;
  }

  private static boolean readsRowsItself(SparkPlan plan) {
    return plan instanceof AriadneImportExec
        || plan instanceof AriadneCrossInputExec
        || plan instanceof AriadneBroadcastExec
        || (plan instanceof AriadneFragmentExec exec && exec.isLeaf());
  }

  /**
   * Returns whether a plan is a finished stage of ours, or what reads one. Above these Spark's
   * transition cannot stay: a stage is canonicalised as the exchange of rows it was planned as, and
   * the transition insists on columns.
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
