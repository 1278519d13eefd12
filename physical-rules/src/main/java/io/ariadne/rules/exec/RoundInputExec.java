package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneLeafExec;
import io.ariadne.bridge.node.NodeMetric;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Buffers of groups as an input of a plan: those that a round of map tasks yields, or those of all
 * rounds so far, in the place of the partial aggregation that yields the buffers of all rows.
 */
public final class RoundInputExec extends AriadneLeafExec {
  private static final long serialVersionUID = 1L;

  private final Rows rows;
  private final scala.collection.immutable.Seq<Attribute> columns;
  private final Partitioning placement;

  /**
   * What is read. Equal only to itself.
   *
   * <p>Only Spark's driver has the RDD.
   */
  public static final class Rows implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String text;
    private final transient RDD<ColumnarBatch> rdd;

    private Rows(String text, RDD<ColumnarBatch> rdd) {
      this.text = text;
      this.rdd = rdd;
    }

    /** Returns the text that a plan shows. */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Creates the node.
   *
   * @param rows what is read
   * @param columns the columns of its batches
   * @param placement how rows are placed in partitions
   */
  public RoundInputExec(
      Rows rows, scala.collection.immutable.Seq<Attribute> columns, Partitioning placement) {
    super(new Object[] {rows, columns, placement});
    this.rows = rows;
    this.columns = columns;
    this.placement = placement;
  }

  /**
   * Returns a node in the place of a partial aggregation, for planning: it cannot be executed.
   *
   * @param partial the partial aggregation
   * @param placement how rows will be placed in partitions
   */
  public static RoundInputExec inPlaceOf(SparkPlan partial, Partitioning placement) {
    return new RoundInputExec(
        new Rows("groups of the rounds", null),
        ScalaCollections.seq(ScalaCollections.<Attribute>list(partial.output())),
        placement);
  }

  /**
   * Returns the same node with rows.
   *
   * @param text what the rows are, for plans
   * @param rdd batches of the node's columns, each valid until the next one is requested
   */
  public RoundInputExec reading(String text, RDD<ColumnarBatch> rdd) {
    return new RoundInputExec(new Rows(text, rdd), columns, placement);
  }

  @Override
  public List<NodeMetric> declaredMetrics() {
    return List.of();
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return columns;
  }

  @Override
  public Partitioning outputPartitioning() {
    return placement;
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    if (rows.rdd == null) {
      throw new IllegalStateException(nodeName() + " is without rows");
    }
    return rows.rdd;
  }
}
