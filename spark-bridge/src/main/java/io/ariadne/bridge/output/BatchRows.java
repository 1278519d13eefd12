package io.ariadne.bridge.output;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Iterates over the rows of Ariadne's batches, each valid until the next one is requested. Spark's
 * projection converts types that {@link RowEncoder} does not support. Called by the task thread.
 */
public final class BatchRows implements Iterator<InternalRow> {
  private final Iterator<ColumnarBatch> batches;
  private final SQLMetric rowMetric;
  private final SQLMetric batchMetric;
  private final RowEncoder encoder;
  private final UnsafeProjection projection;
  private ColumnarBatch batch;
  private int batchRow;
  private int encodedStart;
  private int encodedCount;

  /**
   * Creates the iterator.
   *
   * @param batches batches of our columns, each valid until the next one is requested
   * @param types Spark's types of the columns
   * @param rowMetric counts rows
   * @param batchMetric counts batches
   */
  public BatchRows(
      Iterator<ColumnarBatch> batches,
      DataType[] types,
      SQLMetric rowMetric,
      SQLMetric batchMetric) {
    this.batches = batches;
    this.rowMetric = rowMetric;
    this.batchMetric = batchMetric;
    boolean isEncoded = RowEncoder.supports(types);
    this.encoder = isEncoded ? new RowEncoder(types) : null;
    this.projection = isEncoded ? null : UnsafeProjection.create(types);
  }

  @Override
  public boolean hasNext() {
    while (batch == null || batchRow == batch.numRows()) {
      batch = null;
      if (!batches.hasNext()) {
        return false;
      }
      batch = batches.next();
      batchRow = 0;
      encodedStart = 0;
      encodedCount = 0;
      batchMetric.add(1);
      rowMetric.add(batch.numRows());
    }
    return true;
  }

  @Override
  public UnsafeRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there are no more rows");
    }
    int row = batchRow++;
    if (encoder == null) {
      return projection.apply(batch.getRow(row));
    }
    if (row == encodedStart + encodedCount) {
      encodedStart = row;
      encodedCount = encoder.encode(batch, row);
    }
    return encoder.row(row - encodedStart);
  }
}
