package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.ParquetTasks;
import java.util.List;

/** Pages of DELTA_BINARY_PACKED integers, converted to the column's layout in a second step. */
final class DeltaValueDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final FlatColumn column;
  private final StoredValues stored;

  DeltaValueDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
    this.stored = new StoredValues(context, column);
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    stored.decode(windows, target, this::unpack);
  }

  private void unpack(List<PageWindow> windows, MemoryBuffer out, int firstValue) {
    PageTasks tasks = context.tasks();
    int width = column.widthInBytes();
    for (PageWindow window : windows) {
      tasks.add(
          new PageTasks.Source(
              window.page(), window.page().values(), window.denseSkip, window.denseCount, width, 0),
          PageTasks.place(out, window.denseStart - firstValue, width),
          0);
    }
    tasks.run(column, this::decode);
  }

  private Void decode(ParquetTasks tasks) {
    context.delta().decode(tasks);
    return null;
  }
}
