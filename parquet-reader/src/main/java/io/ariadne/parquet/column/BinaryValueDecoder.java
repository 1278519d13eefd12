package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.BinaryDecoder.Extent;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;

/** Decodes PLAIN pages of byte arrays to views into the pages' memory. */
final class BinaryValueDecoder implements ValueDecoder {
  static final int VIEW_BYTES = 16;

  /** Longest value that a view contains completely. */
  static final int INLINE_BYTES = 12;

  private final DecodeContext context;
  private final FlatColumn column;

  BinaryValueDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    PageLaunch launch = context.emptyLaunch();
    int[] heapNumbers = new int[windows.size()];
    for (int i = 0; i < windows.size(); i++) {
      PageWindow window = windows.get(i);
      Page page = window.page();
      heapNumbers[i] = heaps.add(page.memory());
      long start = page.values().address() + window.cursor.walkedBytes;
      launch.add(
          new PageLaunch.Source(
              page,
              new ByteRange(start, page.values().lengthInBytes() - window.cursor.walkedBytes),
              window.denseSkip - window.cursor.walkedValues,
              window.denseCount,
              0,
              0),
          PageLaunch.addressOf(target, window.denseStart, VIEW_BYTES),
          (long) heapNumbers[i] << Integer.SIZE | (start - page.memory().address()));
    }
    List<Extent> extents = launch.run(column, context.binary()::decode);
    for (int i = 0; i < windows.size(); i++) {
      PageWindow window = windows.get(i);
      window.cursor.walkedValues = window.denseSkip + window.denseCount;
      window.cursor.walkedBytes += extents.get(i).bytes();
      if (extents.get(i).longest() > INLINE_BYTES) {
        heaps.use(heapNumbers[i]);
      }
    }
  }
}
