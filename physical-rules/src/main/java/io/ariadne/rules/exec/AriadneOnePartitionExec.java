package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.NodeConversion;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Stands within a fragment for an exchange that is not needed: the fragment has one task, which
 * reads all partitions of its input. Computes nothing and is no plan node of its own.
 */
public final class AriadneOnePartitionExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the node.
   *
   * @param child the input, one of our nodes
   */
  public AriadneOnePartitionExec(SparkPlan child) {
    super(child, new Object[0]);
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    builder.demandOneTask();
    return builder.build(child());
  }

  @Override
  public NodeConversion explainConversion() {
    return NodeConversion.passing(childColumns());
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(childColumns());
  }

  @Override
  public Partitioning outputPartitioning() {
    return SinglePartition$.MODULE$;
  }
}
