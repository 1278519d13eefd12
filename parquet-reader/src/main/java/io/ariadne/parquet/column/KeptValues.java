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
 * @param budget gets the bytes of the values back that were taken from it
 */
record KeptValues(int first, int count, MemoryBuffer values, SharedBuffer heap, KeptBudget budget)
    implements AutoCloseable {
  /** Returns whether all of a window's values are here. */
  boolean covers(PageWindow window) {
    return window.denseSkip >= first && window.denseSkip + window.denseCount <= first + count;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    budget.give(values.capacityInBytes());
    closer.close(values);
    if (heap != null) {
      closer.close(heap::release);
    }
    closer.rethrow();
  }
}
