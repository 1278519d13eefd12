package io.ariadne.it.fuzz;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneUnaryExec;
import io.ariadne.bridge.node.PartitionFunction;
import io.ariadne.bridge.node.PartitionRdd;
import io.ariadne.executor.ProcessRuntime;
import java.util.Iterator;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Forwards batches, but drops the first batch after a spill: a planted fault. */
public final class LossyExec extends AriadneUnaryExec {
  private static final long serialVersionUID = 1L;
  private static final ClassTag<ColumnarBatch> BATCH = ClassTag$.MODULE$.apply(ColumnarBatch.class);

  /**
   * Creates the node.
   *
   * @param child whose batches are lost
   */
  public LossyExec(SparkPlan child) {
    super(child, new Object[0]);
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(ScalaCollections.<Attribute>list(child().output()));
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    long movedBefore = ProcessRuntime.get().movedBytes();
    return new PartitionRdd<>(child().executeColumnar(), new Losing(movedBefore), BATCH);
  }

  /** What a task does. */
  private record Losing(long movedBefore)
      implements PartitionFunction<ColumnarBatch, ColumnarBatch> {
    @Override
    public Iterator<ColumnarBatch> apply(int index, Iterator<ColumnarBatch> input) {
      boolean isLost = input.hasNext() && ProcessRuntime.get().movedBytes() > movedBefore;
      if (isLost) {
        input.next();
      }
      return input;
    }
  }
}
