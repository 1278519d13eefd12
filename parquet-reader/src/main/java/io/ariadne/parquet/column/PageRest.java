package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;

/**
 * Decoded values of a page that goes on behind a window, for the windows that follow.
 *
 * @param first number of the first among the page's dense values
 * @param count values
 * @param values the values in the column's layout, owned by this; views call the heap 0
 * @param heap what views point into, with a hold of this; null when none does
 * @param budget gets the bytes back that were taken from it
 * @param lengthInBytes bytes of the values, and of a heap that is not the page's
 */
record PageRest(
    int first,
    int count,
    MemoryBuffer values,
    SharedBuffer heap,
    PageRestBudget budget,
    long lengthInBytes)
    implements AutoCloseable {
  /**
   * Keeps the values of a window, counted in a budget from now on.
   *
   * @param window which values they are
   * @param values the values, owned by the result
   * @param heap what views point into, whose hold is the result's; null for nothing
   * @param budget what bounds them
   */
  static PageRest of(
      PageWindow window, MemoryBuffer values, SharedBuffer heap, PageRestBudget budget) {
    boolean isOwn = heap != null && heap != window.page().memory();
    long bytes = values.capacityInBytes() + (isOwn ? heap.lengthInBytes() : 0);
    budget.take(bytes);
    return new PageRest(window.denseSkip, window.denseCount, values, heap, budget, bytes);
  }

  /** Returns whether all of a window's values are here. */
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
