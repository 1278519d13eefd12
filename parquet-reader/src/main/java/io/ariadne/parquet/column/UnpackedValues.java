package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;
import java.util.function.Consumer;

/**
 * Decodes fixed-width values that must be unpacked before they can be converted. Unpacks them to
 * scratch memory, or directly to the target when no conversion is needed.
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
   * @param target memory for the column's dense values
   * @param unpacking the kernel of the first step
   */
  void decode(List<PageWindow> windows, MemoryBuffer target, Consumer<StreamWindows> unpacking) {
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
   * Unpacks windows without conversion.
   *
   * @param windows parts of pages
   * @param out memory for the values
   * @param firstValue index of the dense value that comes first in {@code out}
   * @param unpacking the kernel
   */
  void unpack(
      List<PageWindow> windows,
      MemoryBuffer out,
      int firstValue,
      Consumer<StreamWindows> unpacking) {
    PageLaunch launch = context.emptyLaunch();
    int width = column.widthInBytes();
    for (PageWindow window : windows) {
      launch.add(
          new PageLaunch.Source(
              window.page(), window.page().values(), window.denseSkip, window.denseCount, width, 0),
          PageLaunch.addressOf(out, window.denseStart - firstValue, width),
          0);
    }
    launch.run(
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
    PageLaunch launch = context.emptyLaunch();
    int width = column.widthInBytes();
    for (PageWindow window : windows) {
      long from = PageLaunch.addressOf(scratch, window.denseStart - firstValue, width);
      launch.add(
          new PageLaunch.Source(
              window.page(),
              new ByteRange(from, (long) window.denseCount * width),
              0,
              window.denseCount,
              width,
              0),
          PageLaunch.addressOf(target, window.denseStart, column.layout().widthInBytes()),
          0);
    }
    launch.run(column, this::convert);
  }

  private Void convert(StreamWindows streams) {
    context
        .convert()
        .convert(
            streams, column.conversion(), column.scale(), column.isNarrowed(), column.calendar());
    return null;
  }
}
