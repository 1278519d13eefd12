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
}
