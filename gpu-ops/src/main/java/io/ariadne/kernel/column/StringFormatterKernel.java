package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.abi.FormatValueArgsLayout;

/** Makes columns of strings that say values. Used by one thread at a time. */
public final class StringFormatterKernel implements AutoCloseable {
  private static final TwoPassStrings.Places PLACES =
      new TwoPassStrings.Places(
          FormatValueArgsLayout.SIZE_IN_BYTES,
          FormatValueArgsLayout.STATUS_OFFSET,
          FormatValueArgsLayout.OUT_OFFSET,
          FormatValueArgsLayout.VALIDITY_OFFSET,
          FormatValueArgsLayout.OFFSETS_OFFSET,
          FormatValueArgsLayout.HEAP_OFFSET);

  private final TwoPassStrings strings;
  private final HeapTables heaps;

  /**
   * Prepares launches.
   *
   * @param backend where the kernels run
   * @param allocator memory of the back end's tier: where the columns lie
   */
  public StringFormatterKernel(Backend backend, BufferAllocator allocator) {
    this.strings = new TwoPassStrings(backend, allocator, "format_lengths", "format_text", PLACES);
    this.heaps = new HeapTables(backend, allocator);
  }

  /**
   * Makes a column.
   *
   * @param type a constant of {@link io.ariadne.kernel.abi.FormatType}
   * @param scale digits of decimals behind the point
   * @param zone steps of offsets by instants where kernels see them; null for UTC
   * @param zoneSteps entries of {@code zone}
   * @param rowCount rows of the value
   * @param value what is shown
   * @return a plain column owned by the caller, null where the value is; or null when it all is
   *     more than 2 GiB
   */
  public ColumnVector run(
      int type, int scale, MemoryBuffer zone, int zoneSteps, int rowCount, CastInput value) {
    try {
      ArgumentBlock arguments = strings.arguments();
      arguments.putInt(FormatValueArgsLayout.TYPE_OFFSET, type);
      arguments.putInt(FormatValueArgsLayout.SCALE_OFFSET, scale);
      arguments.putInt(FormatValueArgsLayout.ROWS_OFFSET, rowCount);
      arguments.putLong(FormatValueArgsLayout.ZONE_OFFSET, zone == null ? 0 : zone.address());
      arguments.putInt(FormatValueArgsLayout.ZONE_LENGTH_OFFSET, zoneSteps);
      value.put(arguments, FormatValueArgsLayout.VALUE_OFFSET, heaps);
      return strings.run(PrimitiveType.STRING, rowCount, value.mayHaveNulls());
    } finally {
      heaps.release();
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(heaps);
    closer.close(strings);
    closer.rethrow();
  }
}
