package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;

/**
 * The wanted rows of a window: sorted 32-bit row numbers relative to the window, in host memory.
 * Decoders may leave any values in other rows.
 *
 * @param indices the row numbers, stays the caller's
 * @param count number of wanted rows
 */
public record RowSelection(MemoryBuffer indices, int count) {
  /**
   * Returns whether any row of a range is wanted.
   *
   * @param first first row, relative to the window
   * @param rows number of rows
   */
  boolean hasAny(int first, int rows) {
    int at = firstAtLeast(first);
    return at < count && row(at) < first + rows;
  }

  /** Returns the first wanted row of a range that has one. */
  int firstOf(int first) {
    return row(firstAtLeast(first));
  }

  /** Returns the last wanted row before {@code end}. There must be one. */
  int lastBefore(int end) {
    return row(firstAtLeast(end) - 1);
  }

  private int row(int index) {
    return Memory.getInt(indices.address() + (long) index * Integer.BYTES);
  }

  private int firstAtLeast(int row) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (row(middle) < row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
