package io.ariadne.bridge.vector;

import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Passes whole batches to Spark and takes them back, without copying. Stateless. */
public final class SparkBatches {
  private SparkBatches() {}

  /**
   * Passes a batch to Spark.
   *
   * @param batch its columns become owned by the result
   * @param types Spark types of the columns
   * @return a batch of {@link AriadneColumnVector}; to be closed by the caller
   */
  public static ColumnarBatch toSpark(RecordBatch batch, DataType[] types) {
    if (types.length != batch.columnCount()) {
      throw new IllegalArgumentException(
          types.length + " types for a batch of " + batch.columnCount() + " columns");
    }
    var vectors = new org.apache.spark.sql.vectorized.ColumnVector[types.length];
    for (int i = 0; i < types.length; i++) {
      vectors[i] = new AriadneColumnVector(batch.takeColumn(i), types[i]);
    }
    return new ColumnarBatch(vectors, batch.rowCount());
  }

  /** Passes a batch to Spark with the types that {@link SparkTypes#toSpark} gives. */
  public static ColumnarBatch toSpark(RecordBatch batch) {
    return toSpark(batch, SparkTypes.columnTypes(SparkTypes.structType(batch.schema().fields())));
  }

  /**
   * Returns whether {@link #fromSpark} can take the batch: every column is Ariadne's own, still
   * open, of the batch's length, and none occurs twice.
   */
  public static boolean canTake(ColumnarBatch batch) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < batch.numCols(); i++) {
      if (!(batch.column(i) instanceof AriadneColumnVector vector)
          || !vector.isOpen()
          || vector.column().rowCount() != batch.numRows()
          || !seen.add(vector)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes the columns out of a batch that {@link #canTake} accepts. Closing the Spark batch
   * afterwards does nothing.
   *
   * @param batch a batch of {@link AriadneColumnVector}
   * @param schema names and types of its columns
   * @param sequence sequence number of the batch
   * @return the batch, owned by the caller
   */
  public static RecordBatch fromSpark(ColumnarBatch batch, Schema schema, long sequence) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < batch.numCols(); i++) {
      columns.add(((AriadneColumnVector) batch.column(i)).take());
    }
    return new RecordBatch(schema, batch.numRows(), columns, sequence);
  }
}
