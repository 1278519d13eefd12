package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.RangeExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Makes the integers of one of Spark's ranges as columns, in Spark's partitions.
 *
 * <p>Spark's range stays in the plan as the child, and is never executed.
 */
public final class AriadneRangeExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the node.
   *
   * @param child a {@link RangeExec}
   */
  public AriadneRangeExec(SparkPlan child) {
    super(child, new Object[0]);
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
    return RangeBatches.of((RangeExec) range);
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

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }

  @Override
  public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return ScalaCollections.seq(ScalaCollections.<SortOrder>list(child().outputOrdering()));
  }
}
