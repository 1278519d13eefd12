package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Where rows that the driver has enter a fragment: those of a {@code VALUES} list, of a Dataset
 * made of a list, or none at all.
 *
 * <p>Spark's leaf stays in the plan as the child. It divides and ships the rows, and counts them as
 * it always does; tasks read them as an {@link AriadneImportExec} would. What differs is that they
 * are no rows of an operator of Spark's: who plans takes them for columns.
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
