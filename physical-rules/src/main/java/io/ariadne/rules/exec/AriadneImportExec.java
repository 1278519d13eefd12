package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Reads the output of one of Spark's nodes as an input of a fragment: columns of Spark's vectorised
 * scans and cached tables, or rows.
 */
public final class AriadneImportExec extends AriadneInputExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the node.
   *
   * @param child one of Spark's nodes
   */
  public AriadneImportExec(SparkPlan child) {
    super(child);
  }

  /** Returns why the output of a node cannot enter a fragment, or empty when it can. */
  public static Optional<String> reasonAgainst(SparkPlan node) {
    return AttributeSchemas.reasonAgainst(ScalaCollections.<Attribute>list(node.output()));
  }

  @Override
  public List<NodeMetric> declaredMetrics() {
    return metricsOfReading("time to read and import the input");
  }

  @Override
  public NodeConversion explainConversion() {
    return NodeConversion.of(AttributeSchemas.placeholder(childColumns()));
  }
}
