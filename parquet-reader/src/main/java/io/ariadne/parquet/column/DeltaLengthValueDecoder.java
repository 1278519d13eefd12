package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.BinaryDecoder.Extent;
import io.ariadne.parquet.page.Page;
import java.util.List;

/** Decodes DELTA_LENGTH_BYTE_ARRAY pages to views into the pages' memory. */
final class DeltaLengthValueDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final FlatColumn column;

  DeltaLengthValueDecoder(DecodeContext context, FlatColumn column) {
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
      launch.add(
          new PageLaunch.Source(page, page.values(), window.denseSkip, window.denseCount, 0, 0),
          PageLaunch.addressOf(target, window.denseStart, BinaryValueDecoder.VIEW_BYTES),
          (long) heapNumbers[i] << Integer.SIZE
              | (page.values().address() - page.memory().address()));
    }
    List<Extent> extents = launch.run(column, context.deltaLengths()::decode);
    for (int i = 0; i < windows.size(); i++) {
      if (extents.get(i).longest() > BinaryValueDecoder.INLINE_BYTES) {
        heaps.use(heapNumbers[i]);
      }
    }
  }
}
