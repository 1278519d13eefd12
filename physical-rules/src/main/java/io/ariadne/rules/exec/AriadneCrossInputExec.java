package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.NodeConversion;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Reads one side of a cartesian product as an input of its fragment, which has a task for each pair
 * of partitions. The nodes below are a separate fragment, which is computed again for each pair.
 */
public final class AriadneCrossInputExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the node.
   *
   * @param child the side: the topmost node of a fragment, or a node of Spark's
   */
  public AriadneCrossInputExec(SparkPlan child) {
    super(child, new Object[0]);
  }

  /** Returns the node that reads one side, the output of one of Ariadne's nodes. */
  static AriadneCrossInputExec of(SparkPlan side) {
    return new AriadneCrossInputExec(side instanceof AriadneImportExec read ? read.child() : side);
  }

  @Override
  boolean endsFragment() {
    return true;
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    return new InputNode(
        builder.number(this), builder.input(this), AttributeSchemas.schema(childColumns()));
  }

  @Override
  public NodeConversion explainConversion() {
    return NodeConversion.passing(childColumns());
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(childColumns());
  }
}
