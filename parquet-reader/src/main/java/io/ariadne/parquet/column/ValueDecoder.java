package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;

/** Decodes the values of pages of one encoding, without nulls. Used by one thread. */
interface ValueDecoder {
  /**
   * Decodes the windows' dense values to their places.
   *
   * @param windows parts of pages of this encoding, each with at least one dense value
   * @param target memory for dense values of the column's layout; window {@code w} begins at value
   *     {@code w.denseStart}
   * @param heaps receives the heaps that views refer to
   */
  void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps);

  /**
   * Returns how many values, from a window's first on, can be decoded with a limit on the memory
   * needed besides the values themselves.
   *
   * @param window where the values begin
   * @param count values of the page from there on, at least the window's
   * @param lengthInBytes limit in bytes
   * @return at least the window's values, at most {@code count}
   */
  default int fitting(PageWindow window, int count, long lengthInBytes) {
    return count;
  }
}
