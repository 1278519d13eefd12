package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.parquet.metadata.PageEncoding;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;

/** Pages of booleans, PLAIN or RLE, to bits. */
final class BitValueDecoder implements ValueDecoder {
  private static final int PLAIN_WIDTH = 0;
  private static final int RLE_WIDTH = 1;

  private final DecodeContext context;
  private final FlatColumn column;

  BitValueDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    PageTasks tasks = context.tasks();
    for (PageWindow window : windows) {
      Page page = window.page();
      boolean isPlain = page.encoding() == PageEncoding.PLAIN;
      tasks.add(
          new PageTasks.Source(
              page,
              isPlain ? page.values() : runs(page),
              window.denseSkip,
              window.denseCount,
              isPlain ? PLAIN_WIDTH : RLE_WIDTH,
              0),
          target.address(),
          window.denseStart);
    }
    context.launch(column, context.dense()::bits);
  }

  /** Returns the runs behind their length. */
  private ByteRange runs(Page page) {
    ByteRange values = page.values();
    long rest = values.lengthInBytes() - Integer.BYTES;
    int length = rest < 0 ? -1 : Memory.getInt(values.address());
    if (length < 0 || length > rest) {
      throw column.site().corrupt(page.offset(), "booleans of " + length + " bytes");
    }
    return new ByteRange(values.address() + Integer.BYTES, length);
  }
}
