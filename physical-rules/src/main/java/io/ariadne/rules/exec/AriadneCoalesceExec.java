package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneUnaryExec;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.bridge.node.OnePartitionExec;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Lets a task read several partitions, one after the other, without an exchange: Spark's {@code
 * CoalesceExec} for columns. The nodes below run as a separate fragment for each partition, because
 * their expressions may depend on the partition's number and on where it ends.
 */
public final class AriadneCoalesceExec extends AriadneUnaryExec {
  private static final long serialVersionUID = 1L;

  private final int numPartitions;

  /**
   * Creates the node.
   *
   * @param numPartitions maximum number of partitions, at least 1
   * @param child the input, in columns
   */
  public AriadneCoalesceExec(Integer numPartitions, SparkPlan child) {
    super(child, new Object[] {numPartitions});
    this.numPartitions = numPartitions;
  }

  @Override
  public List<NodeMetric> declaredMetrics() {
    return List.of();
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    return OnePartitionExec.together(
        child().executeColumnar(), numPartitions, FragmentLeaves.BATCHES);
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(ScalaCollections.<Attribute>list(child().output()));
  }

  @Override
  public Partitioning outputPartitioning() {
    return numPartitions == 1 ? SinglePartition$.MODULE$ : new UnknownPartitioning(numPartitions);
  }
}
