package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Reads the output of one of Spark's nodes as an input of a fragment, with the same columns,
 * partitions and order.
 *
 * <p>Subclasses specify the possible children and how they are read.
 */
abstract class AriadneInputExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the node.
   *
   * @param child the node of Spark's
   */
  AriadneInputExec(SparkPlan child) {
    super(child, new Object[0]);
  }

  /** Returns the metrics of a node whose time is that of its input. */
  static List<NodeMetric> metricsOfReading(String description) {
    return List.of(
        NodeMetric.outputRows(),
        NodeMetric.outputBatches(),
        NodeMetric.nanoseconds(TIME_KEY, description));
  }

  @Override
  final PlanNode toPlanNode(FragmentBuilder builder) {
    return new InputNode(
        builder.number(this), builder.input(this), AttributeSchemas.schema(childColumns()));
  }

  @Override
  public final scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(childColumns());
  }

  @Override
  public final Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }

  @Override
  public final scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return ScalaCollections.seq(ScalaCollections.<SortOrder>list(child().outputOrdering()));
  }
}
