package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.ParquetTasks;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;
import java.util.function.Consumer;

/**
 * Fixed-width values that have to be unpacked before they can be converted: unpacks them to scratch
 * memory, or to their place when nothing is to be converted.
 */
final class UnpackedValues {
  private final DecodeContext context;
  private final FlatColumn column;

  UnpackedValues(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
  }

  /**
   * Unpacks and converts windows.
   *
   * @param windows parts of pages
   * @param target room for the column's dense values
   * @param unpacking the first step's kernel
   */
  void decode(List<PageWindow> windows, MemoryBuffer target, Consumer<ParquetTasks> unpacking) {
    if (isCopy()) {
      unpack(windows, target, 0, unpacking);
      return;
    }
    int first = windows.get(0).denseStart;
    PageWindow last = windows.get(windows.size() - 1);
    long bytes = (long) (last.denseStart + last.denseCount - first) * column.widthInBytes();
    try (MemoryBuffer scratch = context.allocator().allocate(bytes)) {
      unpack(windows, scratch, first, unpacking);
      convert(windows, scratch, first, target);
    }
  }

  /**
   * Unpacks windows as they are stored.
   *
   * @param windows parts of pages
   * @param out room for the values
   * @param firstValue dense number of the value that comes first in {@code out}
   * @param unpacking the kernel
   */
  void unpack(
      List<PageWindow> windows,
      MemoryBuffer out,
      int firstValue,
      Consumer<ParquetTasks> unpacking) {
    PageTasks tasks = context.tasks();
    int width = column.widthInBytes();
    for (PageWindow window : windows) {
      tasks.add(
          new PageTasks.Source(
              window.page(), window.page().values(), window.denseSkip, window.denseCount, width, 0),
          PageTasks.place(out, window.denseStart - firstValue, width),
          0);
    }
    tasks.run(
        column,
        list -> {
          unpacking.accept(list);
          return null;
        });
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
    context
        .convert()
        .convert(
            tasks, column.conversion(), column.scale(), column.isNarrowed(), column.calendar());
    return null;
  }
}
