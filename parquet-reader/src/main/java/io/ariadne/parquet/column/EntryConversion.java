package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.parquet.page.Page;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Converts entries of a dictionary page: all of them, or those that rows use. Owns the page. */
final class EntryConversion implements AutoCloseable {
  private final Page page;
  private final ValueDecoder plain;
  private final BitSet converted = new BitSet();

  /**
   * Creates a conversion.
   *
   * @param page owned by this object
   * @param plain decodes PLAIN values of the column
   */
  EntryConversion(Page page, ValueDecoder plain) {
    this.page = page;
    this.plain = plain;
  }

  /**
   * Converts a range of entries.
   *
   * @param first first entry
   * @param end end of the range, exclusive
   * @param target memory for all entries
   * @param heaps receives the heaps that views refer to
   */
  void convert(int first, int end, MemoryBuffer target, BatchHeaps heaps) {
    convert(new PageCursor(page, 0), first, end, target, heaps);
  }

  /**
   * Converts those entries of a set that are not converted yet.
   *
   * @param used indices of entries; converted ones are removed
   * @param target memory for all entries, in a layout without heaps
   */
  void convert(BitSet used, MemoryBuffer target) {
    used.andNot(converted);
    PageCursor cursor = new PageCursor(page, 0);
    try (BatchHeaps heaps = new BatchHeaps()) {
      int first = used.nextSetBit(0);
      while (first >= 0) {
        int end = used.nextClearBit(first);
        convert(cursor, first, end, target, heaps);
        converted.set(first, end);
        first = used.nextSetBit(end);
      }
    }
  }

  private void convert(
      PageCursor cursor, int first, int end, MemoryBuffer target, BatchHeaps heaps) {
    PageWindow window = new PageWindow(cursor, first, end - first, first);
    window.denseSkip = first;
    window.denseCount = end - first;
    window.denseStart = first;
    plain.decode(new ArrayList<>(List.of(window)), target, heaps);
  }

  @Override
  public void close() {
    page.close();
  }
}
