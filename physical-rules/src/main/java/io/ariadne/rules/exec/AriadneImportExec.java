package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Where the output of one of Spark's nodes enters a fragment: columns of Spark's vectorised scans
 * and cached tables, or rows.
 */
public final class AriadneImportExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the node.
   *
   * @param child one of Spark's nodes
   */
  public AriadneImportExec(SparkPlan child) {
    super(child, new Object[0]);
  }

  /** Returns why the output of a node cannot enter a fragment, or empty when it can. */
  public static Optional<String> reasonAgainst(SparkPlan node) {
    return AttributeSchemas.reasonAgainst(ScalaCollections.<Attribute>list(node.output()));
  }

  @Override
  public List<NodeMetric> declaredMetrics() {
    return List.of(
        NodeMetric.outputRows(),
        NodeMetric.outputBatches(),
        NodeMetric.nanoseconds(TIME_KEY, "time to read and import the input"));
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

  @Override
  public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return ScalaCollections.seq(ScalaCollections.<SortOrder>list(child().outputOrdering()));
  }
}
