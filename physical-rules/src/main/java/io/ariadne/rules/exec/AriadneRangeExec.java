package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.exec.task.RangeBatches;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.NodeConversion;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.RangeExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Makes the integers of one of Spark's ranges as columns, in Spark's partitions.
 *
 * <p>Spark's range stays in the plan as the child, and is never executed.
 */
public final class AriadneRangeExec extends AriadneInputExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the node.
   *
   * @param child a {@link RangeExec}
   */
  public AriadneRangeExec(SparkPlan child) {
    super(child);
  }

  @Override
  public boolean isLeaf() {
    return true;
  }

  @Override
  boolean readsColumns() {
    return true;
  }

  @Override
  RDD<ColumnarBatch> inputColumns() {
    // Spark wraps what it could generate code for.
    SparkPlan range = child() instanceof WholeStageCodegenExec stage ? stage.child() : child();
    return RangeBatches.of(
        (RangeExec) range,
        AttributeSchemas.schema(ScalaCollections.<Attribute>list(range.output())));
  }

  @Override
  public NodeConversion explainConversion() {
    return NodeConversion.passing(childColumns());
  }
}
