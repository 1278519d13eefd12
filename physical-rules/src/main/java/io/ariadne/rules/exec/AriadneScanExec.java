package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ScanNode;
import io.ariadne.rules.exec.metrics.ScanNodeMetrics;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.scan.ParquetScans;
import io.ariadne.rules.scan.PartitionLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Reads the files of one of Spark's scans with Ariadne's own reader, on the compute threads.
 *
 * <p>Spark's scan stays in the plan as the child: it lists, prunes and splits the files, and its
 * subqueries run with it. It is never executed.
 */
public final class AriadneScanExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  private final PartitionLayout layout;

  /**
   * Creates the node.
   *
   * @param layout how files become partitions
   * @param child a {@link FileSourceScanExec} without {@link ParquetScans#reasonAgainst}
   */
  public AriadneScanExec(PartitionLayout layout, SparkPlan child) {
    super(child, new Object[] {layout});
    this.layout = layout;
  }

  /** Returns how files become partitions. */
  public PartitionLayout layout() {
    return layout;
  }

  /** Returns this node with files in other partitions. */
  public SparkPlan withLayout(PartitionLayout other) {
    return new AriadneScanExec(other, child()).takeTagsFrom(this);
  }

  /** Returns Spark's scan. */
  public FileSourceScanExec scan() {
    return (FileSourceScanExec) child();
  }

  /**
   * Scans that differ in their partitions only are equal. Spark compares exchanges alone, and of
   * two equal ones that hide partitions ({@code StageLayout}) either layout gives the same rows.
   * Without adaptive execution Spark plans the broadcast of dynamic pruning as a plan of its own,
   * whose scan keeps Spark's partitions.
   */
  @Override
  public SparkPlan doCanonicalize() {
    return new AriadneScanExec(PartitionLayout.SPARK, child().canonicalized());
  }

  @Override
  public boolean isLeaf() {
    return true;
  }

  @Override
  public List<NodeMetric> declaredMetrics() {
    List<NodeMetric> metrics = new ArrayList<>();
    metrics.add(NodeMetric.outputRows());
    metrics.add(NodeMetric.outputBatches());
    metrics.add(NodeMetric.nanoseconds(TIME_KEY, "time to read and decode the files"));
    metrics.addAll(ScanNodeMetrics.declared());
    return metrics;
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    return new ScanNode(builder.number(this), builder.scan(this), ParquetScans.schema(scan()));
  }

  /** Tries the translation of a scan. */
  public static NodeConversion tryConvert(FileSourceScanExec scan) {
    return ParquetScans.reasonAgainst(scan)
        .map(NodeConversion::failed)
        .orElseGet(
            () ->
                NodeConversion.of(
                    AttributeSchemas.placeholder(ScalaCollections.list(scan.output()))));
  }

  @Override
  public NodeConversion explainConversion() {
    return NodeConversion.of(AttributeSchemas.placeholder(childColumns()));
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
