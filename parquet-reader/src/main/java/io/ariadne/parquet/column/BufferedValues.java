package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;

/**
 * Decoded values of a page that continues after a window, buffered for the following windows.
 *
 * @param first index of the first value among the page's dense values
 * @param count number of values
 * @param values the values in the column's layout, owned by this object; views refer to heap 0
 * @param heap heap of the views, with a reference of this object; null when there are none
 * @param budget budget that the bytes were taken from and return to
 * @param lengthInBytes bytes of the values, and of a heap that is not the page's memory
 */
record BufferedValues(
    int first,
    int count,
    MemoryBuffer values,
    SharedBuffer heap,
    BufferedValuesBudget budget,
    long lengthInBytes)
    implements AutoCloseable {
  /**
   * Buffers the values of a window and takes their bytes from a budget.
   *
   * @param window which values they are
   * @param values the values, owned by the result
   * @param heap heap of the views, whose reference passes to the result; null for none
   * @param budget bounds the buffered bytes
   */
  static BufferedValues of(
      PageWindow window, MemoryBuffer values, SharedBuffer heap, BufferedValuesBudget budget) {
    boolean isOwn = heap != null && heap != window.page().memory();
    long bytes = values.capacityInBytes() + (isOwn ? heap.lengthInBytes() : 0);
    budget.take(bytes);
    return new BufferedValues(window.denseSkip, window.denseCount, values, heap, budget, bytes);
  }

  /** Returns whether all values of a window are buffered here. */
  boolean covers(PageWindow window) {
    return window.denseSkip >= first && window.denseSkip + window.denseCount <= first + count;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    budget.give(lengthInBytes);
    closer.close(values);
    if (heap != null) {
      closer.close(heap::release);
    }
    closer.rethrow();
  }
}
