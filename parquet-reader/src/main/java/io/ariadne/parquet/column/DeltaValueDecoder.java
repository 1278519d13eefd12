package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;

/**
 * Decodes DELTA_BINARY_PACKED pages of integers, and converts them to the column's layout in a
 * second step.
 */
final class DeltaValueDecoder implements ValueDecoder {
  private final DecodeContext context;
  private final UnpackedValues stored;

  DeltaValueDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.stored = new UnpackedValues(context, column);
  }

  @Override
  public void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    stored.decode(windows, target, context.delta()::decode);
  }
}
