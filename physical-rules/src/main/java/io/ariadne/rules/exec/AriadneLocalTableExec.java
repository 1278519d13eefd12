package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Reads rows that Spark's driver has, as an input of a fragment: those of a {@code VALUES} list, of
 * a Dataset made from a list, or none at all.
 *
 * <p>Spark's leaf stays in the plan as the child. It divides, ships and counts the rows as always;
 * tasks read them as an {@link AriadneImportExec} would. The difference is in planning: these rows
 * are not the output of an operator of Spark's, so the planner treats them as columns.
 */
public final class AriadneLocalTableExec extends AriadneInputExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the node.
   *
   * @param child a leaf of Spark's whose rows come with the plan
   */
  public AriadneLocalTableExec(SparkPlan child) {
    super(child);
  }

  /** Tries the conversion of such a leaf. */
  public static NodeConversion tryConvert(SparkPlan leaf) {
    if (!leaf.logicalLink().isDefined() || leaf.logicalLink().get().isStreaming()) {
      return NodeConversion.failed("its rows are of a stream, or it is not known");
    }
    return NodeConversion.passing(ScalaCollections.<Attribute>list(leaf.output()));
  }

  @Override
  public boolean isLeaf() {
    return true;
  }

  @Override
  public List<NodeMetric> declaredMetrics() {
    return metricsOfReading("time to read and import the input");
  }

  @Override
  public NodeConversion explainConversion() {
    return NodeConversion.passing(childColumns());
  }
}
