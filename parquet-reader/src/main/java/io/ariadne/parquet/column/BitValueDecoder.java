package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.parquet.metadata.PageEncoding;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;

/** Decodes PLAIN or RLE pages of booleans to bits. */
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
    PageLaunch launch = context.emptyLaunch();
    for (PageWindow window : windows) {
      Page page = window.page();
      if (page.encoding() == PageEncoding.PLAIN) {
        add(launch, window, target, page.values(), window.denseSkip, PLAIN_WIDTH);
      } else {
        int skip = window.denseSkip - window.cursor.ids.values();
        context.statistics().valuesPassed += skip;
        add(launch, window, target, window.cursor.ids.rest(runs(page)), skip, RLE_WIDTH);
      }
    }
    context.launch(column, context.dense()::bits);
    for (PageWindow window : windows) {
      if (window.goesOn && window.page().encoding() != PageEncoding.PLAIN) {
        int end = window.denseSkip + window.denseCount;
        window.cursor.ids.advance(runs(window.page()), RLE_WIDTH, end);
      }
    }
  }

  private static void add(
      PageLaunch launch,
      PageWindow window,
      MemoryBuffer target,
      ByteRange stream,
      int skip,
      int width) {
    launch.add(
        new PageLaunch.Source(window.page(), stream, skip, window.denseCount, width, 0),
        target.address(),
        window.denseStart);
  }

  /** Returns the runs after their length prefix. */
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
