package io.ariadne.bridge.node;

import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;

/** A node without children that is compared and copied, never run. */
public final class TestingLeafExec extends AriadneLeafExec {
  private static final long serialVersionUID = 1L;

  private final Seq<Attribute> output;

  /** Creates a leaf with a number and these columns. */
  public TestingLeafExec(Integer number, Seq<Attribute> output) {
    super(new Object[] {number, output});
    this.output = output;
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    throw new UnsupportedOperationException("never run");
  }
}
