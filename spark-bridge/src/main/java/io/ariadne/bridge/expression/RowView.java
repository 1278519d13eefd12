package io.ariadne.bridge.expression;

import io.ariadne.bridge.vector.AriadneColumnVector;
import io.ariadne.columnar.RecordBatch;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;

/** Batches as rows that Spark's expressions read, without taking the batches over. */
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
}
