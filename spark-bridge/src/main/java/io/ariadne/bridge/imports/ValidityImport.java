package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Builds the validity bitmap of an imported column. The bitmap exists from the first null on. */
final class ValidityImport implements AutoCloseable {
  private final BitmapWriter bitmap;
  private int rowCount;
  private int nullCount;
  private int capacity;
  private boolean started;

  ValidityImport(BufferAllocator allocator) {
    this.bitmap = new BitmapWriter(allocator);
  }

  int nullCount() {
    return nullCount;
  }

  int rowCount() {
    return rowCount;
  }

  /** Ensures capacity for {@code rows} rows in total. */
  void ensure(int rows) {
    capacity = rows;
    if (started) {
      bitmap.ensure(rows);
    }
  }

  /** Returns whether every row of the vector is null without being marked as null. */
  static boolean isAllNull(ColumnVector source) {
    return source instanceof WritableColumnVector vector && vector.isAllNull();
  }

  /** Appends the validity of {@code count} rows of a vector from {@code start}. */
  void append(ColumnVector source, int start, int count) {
    if (!source.hasNull()) {
      appendRun(true, count);
    } else if (isAllNull(source)) {
      appendRun(false, count);
    } else {
      startBitmap();
      int valid;
      if (source instanceof OnHeapColumnVector vector) {
        valid = bitmap.appendBytes(VectorFields.nulls(vector), start, count, true);
      } else if (source instanceof OffHeapColumnVector vector) {
        valid = bitmap.appendBytes(VectorFields.nulls(vector) + start, count, true);
      } else if (ArrowVectors.validity(source) != 0) {
        valid = bitmap.appendBitmap(ArrowVectors.validity(source), start, count);
      } else {
        valid = appendRows(source, start, count);
      }
      nullCount += count - valid;
      rowCount += count;
    }
  }

  private int appendRows(ColumnVector source, int start, int count) {
    int valid = 0;
    for (int row = 0; row < count; row += Long.SIZE) {
      int chunk = Math.min(Long.SIZE, count - row);
      long word = 0;
      for (int i = 0; i < chunk; i++) {
        word |= (source.isNullAt(start + row + i) ? 0L : 1L) << i;
      }
      bitmap.append(word, chunk);
      valid += Long.bitCount(word);
    }
    return valid;
  }

  /** Appends {@code count} rows that are all valid or all null. */
  void appendRun(boolean valid, int count) {
    if (!valid) {
      startBitmap();
      nullCount += count;
    }
    if (started) {
      bitmap.appendRun(valid, count);
    }
    rowCount += count;
  }

  private void startBitmap() {
    if (!started) {
      started = true;
      bitmap.ensure(capacity);
      bitmap.appendRun(true, rowCount);
    }
  }

  /**
   * Passes the bitmap to the caller, null when there are no nulls. This object is empty afterwards.
   */
  MemoryBuffer take() {
    MemoryBuffer taken = nullCount == 0 ? null : bitmap.take();
    close();
    return taken;
  }

  @Override
  public void close() {
    bitmap.close();
    started = false;
    rowCount = 0;
    nullCount = 0;
  }
}
