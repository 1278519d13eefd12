package io.ariadne.bridge;

import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Makes Spark's rows and vectors from other batches, for tests. */
public final class SparkRows {
  private SparkRows() {}

  /** Returns the rows as Spark's unsafe rows, copied. */
  public static List<InternalRow> unsafeRows(ColumnarBatch batch, Schema schema) {
    UnsafeProjection projection = UnsafeProjection.create(SparkTypes.structType(schema.fields()));
    List<InternalRow> rows = new ArrayList<>();
    for (Iterator<InternalRow> each = batch.rowIterator(); each.hasNext(); ) {
      rows.add(projection.apply(each.next()).copy());
    }
    return rows;
  }

  /** Returns the rows as objects, nested ones included, copied. */
  public static List<InternalRow> objectRows(ColumnarBatch batch) {
    List<InternalRow> rows = new ArrayList<>();
    for (Iterator<InternalRow> each = batch.rowIterator(); each.hasNext(); ) {
      rows.add(each.next().copy());
    }
    return rows;
  }

  /** Writes rows to Spark's own vectors; to be closed by the caller. */
  public static ColumnarBatch vectors(List<InternalRow> rows, Schema schema, boolean offHeap) {
    StructType struct = SparkTypes.structType(schema.fields());
    int capacity = Math.max(1, rows.size());
    WritableColumnVector[] columns =
        offHeap
            ? OffHeapColumnVector.allocateColumns(capacity, struct)
            : OnHeapColumnVector.allocateColumns(capacity, struct);
    RowToColumnConverter converter = new RowToColumnConverter(struct);
    rows.forEach(row -> converter.convert(row, columns));
    return new ColumnarBatch(columns, rows.size());
  }
}
