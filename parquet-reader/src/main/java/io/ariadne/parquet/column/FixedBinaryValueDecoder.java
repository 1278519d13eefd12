package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.parquet.page.Page;
import java.util.List;

/** Decodes PLAIN pages of byte arrays of a fixed length to views into the pages' memory. */
final class FixedBinaryValueDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final FlatColumn column;

  FixedBinaryValueDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    PageLaunch launch = context.emptyLaunch();
    int width = column.widthInBytes();
    for (PageWindow window : windows) {
      Page page = window.page();
      int heap = heaps.add(page.memory());
      if (width > BinaryValueDecoder.INLINE_BYTES) {
        heaps.use(heap);
      }
      launch.add(
          new PageLaunch.Source(page, page.values(), window.denseSkip, window.denseCount, width, 0),
          PageLaunch.addressOf(target, window.denseStart, BinaryValueDecoder.VIEW_BYTES),
          (long) heap << Integer.SIZE | (page.values().address() - page.memory().address()));
    }
    context.launch(column, context.dense()::fixedBinary);
  }
}
