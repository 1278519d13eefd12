package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;

/**
 * Decodes BYTE_STREAM_SPLIT pages: joins the bytes of each value, then converts the values or makes
 * views of them.
 */
final class SplitValueDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final FlatColumn column;
  private final UnpackedValues stored;

  SplitValueDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
    this.stored = new UnpackedValues(context, column);
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    if (column.conversion() != null) {
      stored.decode(windows, target, context.split()::decode);
    } else {
      views(windows, target, heaps);
    }
  }

  private void views(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    int width = column.widthInBytes();
    int first = windows.get(0).denseStart;
    PageWindow last = windows.get(windows.size() - 1);
    long bytes = (long) (last.denseStart + last.denseCount - first) * width;
    SharedBuffer heap = new SharedBuffer(context.allocator().allocate(bytes));
    try {
      stored.unpack(windows, heap.buffer(), first, context.split()::decode);
      int number = heaps.add(heap);
      if (width > BinaryValueDecoder.INLINE_BYTES) {
        heaps.use(number);
      }
      PageLaunch launch = context.emptyLaunch();
      for (PageWindow window : windows) {
        long offset = (long) (window.denseStart - first) * width;
        launch.add(
            new PageLaunch.Source(
                window.page(),
                new ByteRange(heap.address() + offset, (long) window.denseCount * width),
                0,
                window.denseCount,
                width,
                0),
            PageLaunch.addressOf(target, window.denseStart, BinaryValueDecoder.VIEW_BYTES),
            (long) number << Integer.SIZE | offset);
      }
      context.launch(column, context.dense()::fixedBinary);
    } finally {
      heap.release();
    }
  }
}
