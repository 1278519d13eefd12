package io.ariadne.bridge.node;

import io.ariadne.bridge.ScalaCollections;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;

/** A node with two children that appends one to the other. */
public final class TestingAppendExec extends AriadneBinaryExec {
  private static final long serialVersionUID = 1L;

  /** Appends {@code right} to {@code left}, under a label. */
  public TestingAppendExec(String label, SparkPlan left, SparkPlan right) {
    super(left, right, new Object[] {label});
  }

  @Override
  public Seq<Attribute> output() {
    return ScalaCollections.seq(ScalaCollections.<Attribute>list(left().output()));
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    return left().executeColumnar().union(right().executeColumnar());
  }
}
