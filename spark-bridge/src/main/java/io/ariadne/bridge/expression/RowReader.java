package io.ariadne.bridge.expression;

import io.ariadne.bridge.vector.AriadneColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;

/** Reads the rows of batches, one row at a time. Used by one thread at a time. */
final class RowReader {
  private static final int BYTES_PER_FIELD = 8;

  private final DataType[] types;
  private final UnsafeProjection toUnsafeRows;
  private final List<AriadneColumnVector> views = new ArrayList<>();
  private ColumnarBatchRow view;
  private InternalRow row;

  /** Creates a reader of columns of the given types. */
  RowReader(DataType[] types) {
    this.types = types;
    this.toUnsafeRows = RowView.toUnsafeRows(types);
  }

  /** Switches to another batch, which stays owned by the caller. */
  void read(RecordBatch batch) {
    view = RowView.of(batch, types);
    views.clear();
    for (int i = 0; i < types.length; i++) {
      if (batch.column(i).valueLayout() == PhysicalType.VIEW16) {
        views.add(AriadneColumnVector.viewOf(batch.column(i), types[i]));
      }
    }
  }

  /** Returns a row, valid until the next call. */
  InternalRow row(int index) {
    view.rowId = index;
    row = toUnsafeRows == null ? view : toUnsafeRows.apply(view);
    return row;
  }

  /** Returns the approximate size of the row returned last, in bytes. */
  long bytes() {
    if (row instanceof UnsafeRow unsafe) {
      return unsafe.getSizeInBytes();
    }
    long bytes = (long) types.length * BYTES_PER_FIELD;
    for (AriadneColumnVector column : views) {
      bytes += column.isNullAt(view.rowId) ? 0 : column.byteCount(view.rowId);
    }
    return bytes;
  }
}
