package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.BinaryDecoder.Extent;
import io.ariadne.parquet.page.Page;
import java.util.List;

/** Pages of DELTA_LENGTH_BYTE_ARRAY to views into the pages' memory. */
final class DeltaLengthValueDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final FlatColumn column;

  DeltaLengthValueDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    PageTasks tasks = context.tasks();
    int[] heapNumbers = new int[windows.size()];
    for (int i = 0; i < windows.size(); i++) {
      PageWindow window = windows.get(i);
      Page page = window.page();
      heapNumbers[i] = heaps.add(page.memory());
      tasks.add(
          new PageTasks.Source(page, page.values(), window.denseSkip, window.denseCount, 0, 0),
          PageTasks.place(target, window.denseStart, BinaryValueDecoder.VIEW_BYTES),
          (long) heapNumbers[i] << Integer.SIZE
              | (page.values().address() - page.memory().address()));
    }
    List<Extent> extents = tasks.run(column, context.deltaLengths()::decode);
    for (int i = 0; i < windows.size(); i++) {
      if (extents.get(i).longest() > BinaryValueDecoder.INLINE_BYTES) {
        heaps.use(heapNumbers[i]);
      }
    }
  }
}
