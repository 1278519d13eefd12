package io.ariadne.rules.exec;

import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;

/**
 * Reads a broadcast as an input of a fragment. Every task reads all of it: in columns ({@link
 * io.ariadne.bridge.node.AriadneBroadcastExchangeExec}), or from a relation or an array of Spark's.
 */
public final class AriadneBroadcastExec extends AriadneInputExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the node.
   *
   * @param child for which {@link #isBroadcast} holds
   */
  public AriadneBroadcastExec(SparkPlan child) {
    super(child);
  }

  /** Returns whether a node of Spark's yields a broadcast and not partitions. */
  public static boolean isBroadcast(SparkPlan plan) {
    return plan instanceof BroadcastExchangeExec
        || plan instanceof BroadcastQueryStageExec
        || (plan instanceof ReusedExchangeExec reused && isBroadcast(reused.child()));
  }

  @Override
  public List<NodeMetric> declaredMetrics() {
    return metricsOfReading("time to import the broadcast");
  }

  @Override
  public NodeConversion explainConversion() {
    return NodeConversion.of(AttributeSchemas.placeholder(childColumns()));
  }
}
