package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.kernel.parquet.DeltaByteArrayDecoder.Strings;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;

/**
 * Decodes DELTA_BYTE_ARRAY pages to views into a heap that is made for the window. Decoding always
 * begins with a page's first value, since values share prefixes with earlier ones.
 */
final class DeltaStringDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final FlatColumn column;

  DeltaStringDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    long values = 0;
    long wanted = 0;
    for (PageWindow window : windows) {
      values += window.denseSkip + window.denseCount;
      wanted += window.denseCount;
    }
    long viewBytes = values * BinaryValueDecoder.VIEW_BYTES;
    try (MemoryBuffer views = context.allocator().allocate(viewBytes)) {
      int number = heaps.size();
      Strings strings = strings(windows, views, number);
      SharedBuffer heap = new SharedBuffer(strings.heap());
      // Values before the windows do not count: they are the same however small the windows are.
      context.statistics().textBytes += (long) ((double) heap.lengthInBytes() * wanted / values);
      heaps.add(heap);
      heap.release();
      if (strings.longest() > BinaryValueDecoder.INLINE_BYTES) {
        heaps.use(number);
      }
      copyWindows(windows, views, target);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Also allows as much memory as the text before the window takes, since that text has to be
   * made anyway. Otherwise a page of much text would be decoded from its start again for every
   * small part.
   */
  @Override
  public int fitting(PageWindow window, int count, long lengthInBytes) {
    if (count <= window.denseCount) {
      return count;
    }
    long before = textBytes(window, 0);
    long most = Math.max(lengthInBytes, before);
    int fitting = count;
    while (fitting > window.denseCount) {
      long text = textBytes(window, fitting) - before;
      if (text <= most) {
        return fitting;
      }
      long guess = (long) Math.min(fitting / 2, (double) fitting * most / text);
      fitting = (int) Math.max(guess, window.denseCount);
    }
    return fitting;
  }

  /** Returns the bytes of a page's values up to a number of values from a window's first on. */
  private long textBytes(PageWindow window, int values) {
    int count = window.denseSkip + values;
    if (count == 0) {
      return 0;
    }
    long entryBytes = (long) count * BinaryValueDecoder.VIEW_BYTES;
    try (MemoryBuffer entries = context.allocator().allocate(entryBytes)) {
      PageLaunch launch = context.emptyLaunch();
      launch.add(
          new PageLaunch.Source(window.page(), window.page().values(), 0, count, 0, 0),
          entries.address(),
          0);
      return launch.run(column, context.deltaStrings()::heapBytes);
    }
  }

  private Strings strings(List<PageWindow> windows, MemoryBuffer views, int heapNumber) {
    PageLaunch launch = context.emptyLaunch();
    int first = 0;
    for (PageWindow window : windows) {
      int count = window.denseSkip + window.denseCount;
      launch.add(
          new PageLaunch.Source(window.page(), window.page().values(), 0, count, 0, 0),
          PageLaunch.addressOf(views, first, BinaryValueDecoder.VIEW_BYTES),
          0);
      first += count;
    }
    return launch.run(column, list -> context.deltaStrings().decode(list, heapNumber));
  }

  /** Copies the windows' views, leaving out those before the windows. */
  private void copyWindows(List<PageWindow> windows, MemoryBuffer views, MemoryBuffer target) {
    PageLaunch launch = context.emptyLaunch();
    int width = BinaryValueDecoder.VIEW_BYTES;
    int first = 0;
    for (PageWindow window : windows) {
      int count = window.denseSkip + window.denseCount;
      launch.add(
          new PageLaunch.Source(
              window.page(),
              new ByteRange(PageLaunch.addressOf(views, first, width), (long) count * width),
              window.denseSkip,
              window.denseCount,
              width,
              0),
          PageLaunch.addressOf(target, window.denseStart, width),
          0);
      first += count;
    }
    launch.run(column, this::copy);
  }

  private Void copy(StreamWindows streams) {
    context.convert().convert(streams, ValueConversion.COPY_16);
    return null;
  }
}
