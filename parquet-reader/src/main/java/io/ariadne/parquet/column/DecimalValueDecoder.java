package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;

/** Converts decimals stored as big-endian bytes. Another decoder has made views of the bytes. */
final class DecimalValueDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final FlatColumn column;
  private final ValueDecoder views;
  private final ValueConversion conversion;

  DecimalValueDecoder(DecodeContext context, FlatColumn column, ValueDecoder views) {
    this.context = context;
    this.column = column;
    this.views = views;
    this.conversion =
        switch (column.layout()) {
          case I32 -> ValueConversion.BIG_ENDIAN_TO_DECIMAL32;
          case I64 -> ValueConversion.BIG_ENDIAN_TO_DECIMAL64;
          default -> ValueConversion.BIG_ENDIAN_TO_DECIMAL128;
        };
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    PageWindow last = windows.get(windows.size() - 1);
    long bytes = (long) (last.denseStart + last.denseCount) * BinaryValueDecoder.VIEW_BYTES;
    try (MemoryBuffer scratch = context.allocator().allocate(bytes);
        BatchHeaps own = new BatchHeaps()) {
      views.decode(windows, scratch, own);
      List<SharedBuffer> held = own.take();
      try (MemoryBuffer table = context.heapTable(held)) {
        convert(windows, scratch, table, target);
      } finally {
        held.forEach(SharedBuffer::release);
      }
    }
  }

  @Override
  public int fitting(PageWindow window, int count, long lengthInBytes) {
    long most = Math.max(lengthInBytes / BinaryValueDecoder.VIEW_BYTES, window.denseCount);
    return views.fitting(window, (int) Math.min(count, most), lengthInBytes);
  }

  private void convert(
      List<PageWindow> windows, MemoryBuffer scratch, MemoryBuffer table, MemoryBuffer target) {
    PageLaunch launch = context.emptyLaunch();
    int width = BinaryValueDecoder.VIEW_BYTES;
    for (PageWindow window : windows) {
      launch.add(
          new PageLaunch.Source(
              window.page(),
              new ByteRange(
                  PageLaunch.addressOf(scratch, window.denseStart, width),
                  (long) window.denseCount * width),
              0,
              window.denseCount,
              0,
              0),
          PageLaunch.addressOf(target, window.denseStart, column.layout().widthInBytes()),
          0);
    }
    launch.run(column, list -> convert(list, table));
  }

  private Void convert(StreamWindows streams, MemoryBuffer table) {
    context.decimals().decode(streams, table, conversion, column.scale(), column.isNarrowed());
    return null;
  }
}
