package io.ariadne.bridge.output;

import io.ariadne.bridge.vector.AriadneColumnVector;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;

/**
 * Writes rows of batches as Spark's {@link UnsafeRow}s, some hundreds at a time and column by
 * column. The bytes equal those of Spark's generated projections, without generated code for every
 * combination of types.
 *
 * <p>Supports flat types except intervals of months, days and microseconds. Not thread-safe.
 */
final class RowEncoder {
  /** Rows encoded at a time: their slots fit into the first-level cache. */
  private static final int MAX_ROWS = 512;

  /** Bytes encoded at a time, unless one row has more. */
  private static final long MAX_BYTES = 1 << 20;

  private final CellWriter[] writers;
  private final int fixedBytes;
  private final RowBuffer rows = new RowBuffer(MAX_ROWS);
  private final UnsafeRow row;

  /**
   * Creates an encoder.
   *
   * @param types of the columns, all {@link #supports supported}
   */
  RowEncoder(DataType[] types) {
    int bitSetBytes = UnsafeRow.calculateBitSetWidthInBytes(types.length);
    this.fixedBytes = bitSetBytes + types.length * Long.BYTES;
    this.writers = new CellWriter[types.length];
    for (int i = 0; i < types.length; i++) {
      writers[i] = CellWriters.create(types[i], i, bitSetBytes + i * Long.BYTES);
    }
    this.row = new UnsafeRow(types.length);
  }

  /** Returns whether all columns of these types can be encoded. */
  static boolean supports(DataType[] types) {
    return Arrays.stream(types).allMatch(CellWriters::supports);
  }

  /**
   * Encodes rows of a batch, replacing those encoded before.
   *
   * @param batch batch of our columns
   * @param start first row
   * @return number of rows encoded, at least one
   */
  int encode(ColumnarBatch batch, int start) {
    AriadneColumnVector[] columns = new AriadneColumnVector[writers.length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = (AriadneColumnVector) batch.column(i);
    }
    int count = Math.min(MAX_ROWS, batch.numRows() - start);
    rows.begin(count, fixedBytes);
    for (int i = 0; i < writers.length; i++) {
      writers[i].reserve(columns[i], start, rows);
    }
    rows.layOut(MAX_BYTES);
    for (int i = 0; i < writers.length; i++) {
      writers[i].write(columns[i], start, rows);
    }
    return rows.count();
  }

  /**
   * Returns one of the rows encoded last: the same object every time, valid until the next call.
   */
  UnsafeRow row(int index) {
    row.pointTo(rows.bytes(), Platform.BYTE_ARRAY_OFFSET + rows.start(index), rows.size(index));
    return row;
  }
}
