package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.ParquetTasks;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;

/**
 * Fixed-width values that have to be unpacked before they can be converted: unpacks them to scratch
 * memory, or to their place when nothing is to be converted.
 */
final class StoredValues {
  private final DecodeContext context;
  private final FlatColumn column;

  StoredValues(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
  }

  /** Unpacks windows; value {@code denseStart - firstValue} of {@code out} is a window's first. */
  interface Unpacking {
    void run(List<PageWindow> windows, MemoryBuffer out, int firstValue);
  }

  /**
   * Unpacks and converts windows.
   *
   * @param windows parts of pages
   * @param target room for the column's dense values
   * @param unpacking the first step
   */
  void decode(List<PageWindow> windows, MemoryBuffer target, Unpacking unpacking) {
    if (isCopy()) {
      unpacking.run(windows, target, 0);
      return;
    }
    int first = windows.get(0).denseStart;
    PageWindow last = windows.get(windows.size() - 1);
    long bytes = (long) (last.denseStart + last.denseCount - first) * column.widthInBytes();
    try (MemoryBuffer scratch = context.allocator().allocate(bytes)) {
      unpacking.run(windows, scratch, first);
      convert(windows, scratch, first, target);
    }
  }

  private boolean isCopy() {
    return switch (column.conversion()) {
      case COPY_1, COPY_2, COPY_4, COPY_8, COPY_16 -> true;
      default -> false;
    };
  }

  private void convert(
      List<PageWindow> windows, MemoryBuffer scratch, int firstValue, MemoryBuffer target) {
    PageTasks tasks = context.tasks();
    int width = column.widthInBytes();
    for (PageWindow window : windows) {
      long from = PageTasks.place(scratch, window.denseStart - firstValue, width);
      tasks.add(
          new PageTasks.Source(
              window.page(),
              new ByteRange(from, (long) window.denseCount * width),
              0,
              window.denseCount,
              width,
              0),
          PageTasks.place(target, window.denseStart, column.layout().widthInBytes()),
          0);
    }
    tasks.run(column, this::convert);
  }

  private Void convert(ParquetTasks tasks) {
    context.convert().convert(tasks, column.conversion(), column.scale(), column.calendar());
    return null;
  }
}
