package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.ParquetTasks;
import java.util.List;

/** PLAIN pages of fixed-width values, converted to the column's layout in the same step. */
final class FixedValueDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final FlatColumn column;

  FixedValueDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    PageTasks tasks = context.tasks();
    int width = column.layout().widthInBytes();
    for (PageWindow window : windows) {
      tasks.add(
          new PageTasks.Source(
              window.page(),
              window.page().values(),
              window.denseSkip,
              window.denseCount,
              column.widthInBytes(),
              0),
          PageTasks.place(target, window.denseStart, width),
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
