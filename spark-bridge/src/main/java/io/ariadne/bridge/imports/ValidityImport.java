package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;

/** The validity bitmap of an imported column; exists from the first null on. */
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

  /** Makes room for {@code rows} rows in all. */
  void ensure(int rows) {
    capacity = rows;
    if (started) {
      bitmap.ensure(rows);
    }
  }

  /** Whether every row of the vector is null, without its rows being marked. */
  static boolean isAllNull(ColumnVector source) {
    return source instanceof WritableColumnVector vector && vector.isAllNull();
  }

  /** Appends the nulls of {@code count} rows of a vector from {@code start}. */
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

  /** Hands out the bitmap, null when there are no nulls; empty afterwards. */
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
