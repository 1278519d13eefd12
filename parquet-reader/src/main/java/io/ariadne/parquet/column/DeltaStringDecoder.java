package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.kernel.parquet.DeltaByteArrayDecoder.Strings;
import io.ariadne.kernel.parquet.ParquetTasks;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;

/**
 * Pages of DELTA_BYTE_ARRAY to views into a heap made for the window. Every window begins with the
 * pages' first values: what is shared with an earlier value has to be put together from there.
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
      // What only led to the windows is the same however small they are.
      context.figures().textBytes += (long) ((double) heap.lengthInBytes() * wanted / values);
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
   * <p>Or within as much as the text takes that is before the window and has to be made anyway: so
   * a page of much text is not made from its start again for every little part of it.
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

  /** Returns the bytes of a page's values up to so many from a window's first on. */
  private long textBytes(PageWindow window, int values) {
    int count = window.denseSkip + values;
    if (count == 0) {
      return 0;
    }
    long entryBytes = (long) count * BinaryValueDecoder.VIEW_BYTES;
    try (MemoryBuffer entries = context.allocator().allocate(entryBytes)) {
      PageTasks tasks = context.tasks();
      tasks.add(
          new PageTasks.Source(window.page(), window.page().values(), 0, count, 0, 0),
          entries.address(),
          0);
      return tasks.run(column, context.deltaStrings()::heapBytes);
    }
  }

  private Strings strings(List<PageWindow> windows, MemoryBuffer views, int heapNumber) {
    PageTasks tasks = context.tasks();
    int first = 0;
    for (PageWindow window : windows) {
      int count = window.denseSkip + window.denseCount;
      tasks.add(
          new PageTasks.Source(window.page(), window.page().values(), 0, count, 0, 0),
          PageTasks.place(views, first, BinaryValueDecoder.VIEW_BYTES),
          0);
      first += count;
    }
    return tasks.run(column, list -> context.deltaStrings().decode(list, heapNumber));
  }

  /** Copies the windows' views from behind those that only led to them. */
  private void copyWindows(List<PageWindow> windows, MemoryBuffer views, MemoryBuffer target) {
    PageTasks tasks = context.tasks();
    int width = BinaryValueDecoder.VIEW_BYTES;
    int first = 0;
    for (PageWindow window : windows) {
      int count = window.denseSkip + window.denseCount;
      tasks.add(
          new PageTasks.Source(
              window.page(),
              new ByteRange(PageTasks.place(views, first, width), (long) count * width),
              window.denseSkip,
              window.denseCount,
              width,
              0),
          PageTasks.place(target, window.denseStart, width),
          0);
      first += count;
    }
    tasks.run(column, this::copy);
  }

  private Void copy(ParquetTasks tasks) {
    context.convert().convert(tasks, ValueConversion.COPY_16);
    return null;
  }
}
