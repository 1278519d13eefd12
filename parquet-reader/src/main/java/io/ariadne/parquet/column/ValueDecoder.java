package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;

/** Decodes the values of pages of one encoding, without nulls. Used by one thread. */
interface ValueDecoder {
  /**
   * Decodes the windows' dense values to their places.
   *
   * @param windows parts of pages of this encoding, each of at least one dense value
   * @param target room for dense values of the column's layout; window {@code w} begins at value
   *     {@code w.denseStart}
   * @param heaps takes the heaps that views number
   */
  void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps);

  /**
   * Returns how many values from a window's first on can be decoded within some memory besides that
   * of the values themselves.
   *
   * @param window where they begin
   * @param count values of the page from there on, at least the window's
   * @param lengthInBytes the memory
   * @return at least the window's values, at most {@code count}
   */
  default int fitting(PageWindow window, int count, long lengthInBytes) {
    return count;
  }
}
