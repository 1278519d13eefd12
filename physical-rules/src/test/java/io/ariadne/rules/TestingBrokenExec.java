package io.ariadne.rules;

import io.ariadne.bridge.node.AriadneUnaryExec;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** A plan node that fails every planning that reads it. */
public final class TestingBrokenExec extends AriadneUnaryExec {
  private static final long serialVersionUID = 1L;

  /** Creates the node over any other. */
  public TestingBrokenExec(SparkPlan child) {
    super(child, new Object[0]);
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    throw new UnsupportedOperationException("broken on purpose");
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    throw new UnsupportedOperationException("broken on purpose");
  }
}
