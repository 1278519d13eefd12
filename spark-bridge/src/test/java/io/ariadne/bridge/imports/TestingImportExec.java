package io.ariadne.bridge.imports;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneUnaryExec;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.bridge.vector.SparkBatchIterator;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.Schema;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Imports its child's batches and passes them back to Spark. */
public final class TestingImportExec extends AriadneUnaryExec {
  private static final long serialVersionUID = 1L;

  /** The allocator of all nodes, which tests check for leaks. */
  static final TestingAllocator ALLOCATOR = new TestingAllocator();

  private final Integer targetRows;

  /** Imports batches of {@code targetRows} rows. */
  public TestingImportExec(Integer targetRows, SparkPlan child) {
    super(child, new Object[] {targetRows});
    this.targetRows = targetRows;
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(ScalaCollections.<Attribute>list(child().output()));
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    Schema schema = SparkTypes.schema(child().output());
    DataType[] types = SparkTypes.columnTypes(schema());
    int rows = targetRows;
    return child()
        .executeColumnar()
        .toJavaRDD()
        .mapPartitions(
            batches ->
                new SparkBatchIterator(
                    new ColumnarImporter(batches, schema, ALLOCATOR, rows),
                    types,
                    TaskContext.get()))
        .rdd();
  }
}
