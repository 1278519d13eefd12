package io.ariadne.bridge.expression;

import io.ariadne.bridge.vector.AriadneColumnVector;
import io.ariadne.columnar.RecordBatch;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;

/** Presents batches as rows that Spark's expressions read, without taking ownership. */
final class RowView {
  private RowView() {}

  /** Returns a row over a batch; set {@code rowId} to move it. Valid while the batch is open. */
  static ColumnarBatchRow of(RecordBatch batch, DataType[] types) {
    if (batch.columnCount() != types.length) {
      throw new IllegalArgumentException(
          batch.columnCount() + " columns where " + types.length + " were bound");
    }
    ColumnVector[] vectors = new ColumnVector[types.length];
    for (int i = 0; i < types.length; i++) {
      vectors[i] = AriadneColumnVector.viewOf(batch.column(i), types[i]);
    }
    return new ColumnarBatchRow(vectors);
  }

  /**
   * Returns a projection that copies rows of columns with arrays, structs or maps to Spark's own
   * rows, or null when there are no such columns.
   *
   * <p>Spark's interpreted expressions read elements of arrays without checking whether they are
   * null. Spark's own rows return null for such elements, but arrays over column vectors do not.
   * Spark passes the latter to generated code only.
   */
  static UnsafeProjection toUnsafeRows(DataType[] types) {
    return Arrays.stream(types).anyMatch(RowView::isNested) ? UnsafeProjection.create(types) : null;
  }

  private static boolean isNested(DataType type) {
    return type instanceof ArrayType || type instanceof MapType || type instanceof StructType;
  }
}
