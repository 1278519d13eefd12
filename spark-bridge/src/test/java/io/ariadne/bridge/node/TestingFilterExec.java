package io.ariadne.bridge.node;

import io.ariadne.bridge.ScalaCollections;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.BindReferences;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Predicate;
import org.apache.spark.sql.catalyst.expressions.package$;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A filter with columnar input and output that works row by row inside: a minimal node that
 * computes something.
 */
public final class TestingFilterExec extends AriadneUnaryExec {
  private static final long serialVersionUID = 1L;

  private final Expression condition;

  /** Filters {@code child} by {@code condition}. */
  public TestingFilterExec(Expression condition, SparkPlan child) {
    super(child, new Object[] {condition});
    this.condition = condition;
  }

  /** Returns the condition. */
  public Expression condition() {
    return condition;
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(ScalaCollections.<Attribute>list(child().output()));
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    Expression bound =
        BindReferences.bindReference(
            condition, package$.MODULE$.AttributeSeq(child().output()), false);
    StructType schema = schema();
    SQLMetric rows = longMetric("numOutputRows");
    return child()
        .executeColumnar()
        .toJavaRDD()
        .mapPartitions(
            batches -> {
              BasePredicate predicate = Predicate.create(bound);
              List<ColumnarBatch> kept = new ArrayList<>();
              while (batches.hasNext()) {
                kept.add(filter(batches.next(), predicate, schema));
                rows.add(kept.get(kept.size() - 1).numRows());
              }
              return kept.iterator();
            })
        .rdd();
  }

  private static ColumnarBatch filter(
      ColumnarBatch batch, BasePredicate predicate, StructType schema) {
    WritableColumnVector[] columns = OnHeapColumnVector.allocateColumns(batch.numRows(), schema);
    RowToColumnConverter converter = new RowToColumnConverter(schema);
    int count = 0;
    for (Iterator<InternalRow> rows = batch.rowIterator(); rows.hasNext(); ) {
      InternalRow row = rows.next();
      if (predicate.eval(row)) {
        converter.convert(row, columns);
        count++;
      }
    }
    return new ColumnarBatch(columns, count);
  }
}
