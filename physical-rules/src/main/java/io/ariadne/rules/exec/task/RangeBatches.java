package io.ariadne.rules.exec.task;

import io.ariadne.bridge.node.EmptyPartitionsRdd;
import io.ariadne.bridge.node.PartitionFunction;
import io.ariadne.bridge.node.PartitionRdd;
import io.ariadne.bridge.vector.SparkBatchIterator;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import java.math.BigInteger;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.RangeExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.BoxedUnit;

/** The integers of one of Spark's ranges, divided as {@link RangeExec} does. */
public final class RangeBatches {
  private static final ClassTag<ColumnarBatch> BATCHES =
      ClassTag$.MODULE$.apply(ColumnarBatch.class);

  private RangeBatches() {}

  /**
   * Returns one partition for each slice.
   *
   * @param range Spark's node, which is not executed; from one to 2^63 - 1 integers
   * @param schema the column
   */
  public static RDD<ColumnarBatch> of(RangeExec range, Schema schema) {
    Slices slices =
        new Slices(
            range.start(),
            range.step(),
            range.numElements().bigInteger(),
            range.numSlices(),
            range.longMetric("numOutputRows"),
            schema);
    EmptyPartitionsRdd numbers = new EmptyPartitionsRdd(range.sparkContext(), range.numSlices());
    return new PartitionRdd<>(numbers, slices, BATCHES);
  }

  /**
   * The code of a task: it yields the integers of its slice, and counts them as Spark's node does:
   * as rows of that node and as records that the task has read.
   */
  private record Slices(
      long start, long step, BigInteger count, int slices, SQLMetric sparkRows, Schema schema)
      implements PartitionFunction<BoxedUnit, ColumnarBatch> {
    @Override
    public Iterator<ColumnarBatch> apply(int index, Iterator<BoxedUnit> nothing) {
      TaskContext context = TaskContext.get();
      ExecutorRuntime runtime = ProcessRuntime.get();
      RangeSource source =
          new RangeSource(
              values(index),
              schema,
              runtime.pool(),
              runtime.batchRows(FragmentStart.BATCH_ROWS),
              rows -> count(context, rows));
      return new SparkBatchIterator(source, new DataType[] {DataTypes.LongType}, context);
    }

    private void count(TaskContext context, long rows) {
      sparkRows.add(rows);
      context.taskMetrics().inputMetrics().incRecordsRead(rows);
    }

    private RangeSource.Values values(int index) {
      BigInteger from = before(index);
      BigInteger first = from.multiply(BigInteger.valueOf(step)).add(BigInteger.valueOf(start));
      long values = before(index + 1).subtract(from).longValueExact();
      return new RangeSource.Values(first.longValue(), step, values);
    }

    /** Returns how many integers are in the slices before one. */
    private BigInteger before(int index) {
      return count.multiply(BigInteger.valueOf(index)).divide(BigInteger.valueOf(slices));
    }
  }
}
