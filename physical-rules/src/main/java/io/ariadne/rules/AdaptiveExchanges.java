package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;

/**
 * Marks the exchanges of adaptive plans, which become stages of their own.
 *
 * <p>When Spark makes a stage of an exchange, it inserts transitions for an output in rows, which
 * Spark's exchange had before Ariadne replaced it. But the topmost node of a stage must be an
 * exchange, so a transition above a marked exchange is removed. The reader of the stage then gets
 * columns, and has its own transition where it needs rows. Without adaptive execution an exchange
 * at the top of a plan is not marked.
 */
public final class AdaptiveExchanges extends Rule<SparkPlan> {
  private static final TreeNodeTag<Boolean> STAGE = new TreeNodeTag<>("ariadneStage");

  /** Creates the rule. */
  public AdaptiveExchanges() {}

  @Override
  public String ruleName() {
    return "io.ariadne.rules.AdaptiveExchanges";
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    mark(plan);
    return plan;
  }

  private static void mark(SparkPlan plan) {
    if (plan instanceof ShuffleExchangeExec || plan instanceof BroadcastExchangeExec) {
      plan.setTagValue(STAGE, true);
    }
    ScalaCollections.<SparkPlan>list(plan.children()).forEach(AdaptiveExchanges::mark);
  }

  /** Returns whether an exchange becomes a stage, which only plans that we see read. */
  static boolean isMarked(SparkPlan exchange) {
    return exchange.getTagValue(STAGE).isDefined();
  }

  /** Returns whether a plan is a stage with a transition above its exchange. */
  static boolean isStage(SparkPlan plan) {
    return plan instanceof ColumnarToRowExec transition
        && transition.child() instanceof AriadneShuffleExchangeExec exchange
        && isMarked(exchange);
  }
}
