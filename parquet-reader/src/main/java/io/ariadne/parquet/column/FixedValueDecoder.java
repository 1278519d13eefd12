package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.StreamWindows;
import java.util.List;

/**
 * Decodes PLAIN pages of fixed-width values and converts them to the column's layout in the same
 * step.
 */
final class FixedValueDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final FlatColumn column;

  FixedValueDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    PageLaunch launch = context.emptyLaunch();
    int width = column.layout().widthInBytes();
    for (PageWindow window : windows) {
      launch.add(
          new PageLaunch.Source(
              window.page(),
              window.page().values(),
              window.denseSkip,
              window.denseCount,
              column.widthInBytes(),
              0),
          PageLaunch.addressOf(target, window.denseStart, width),
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
