package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;

/**
 * Where a broadcast enters a fragment: every task reads all of it, in columns ({@link
 * io.ariadne.bridge.node.AriadneBroadcastExchangeExec}) or out of a relation or an array of
 * Spark's.
 */
public final class AriadneBroadcastExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the node.
   *
   * @param child for which {@link #isBroadcast} holds
   */
  public AriadneBroadcastExec(SparkPlan child) {
    super(child, new Object[0]);
  }

  /** Returns whether a node of Spark's yields a broadcast and not partitions. */
  public static boolean isBroadcast(SparkPlan plan) {
    return plan instanceof BroadcastExchangeExec
        || plan instanceof BroadcastQueryStageExec
        || (plan instanceof ReusedExchangeExec reused && isBroadcast(reused.child()));
  }

  @Override
  public List<NodeMetric> declaredMetrics() {
    return List.of(
        NodeMetric.outputRows(),
        NodeMetric.outputBatches(),
        NodeMetric.nanoseconds(TIME_KEY, "time to import the broadcast"));
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    return new InputNode(
        builder.number(this), builder.input(this), AttributeSchemas.schema(childColumns()));
  }

  @Override
  public NodeConversion explainConversion() {
    return NodeConversion.of(FragmentBuilder.placeholder(childColumns()));
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(childColumns());
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }
}
