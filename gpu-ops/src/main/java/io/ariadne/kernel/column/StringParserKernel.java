package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.ParseTextArgsLayout;
import java.util.List;

/** Parses strings to values. Used by one thread at a time. */
public final class StringParserKernel implements AutoCloseable {
  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelFunction kernel;
  private final KernelStatus status;
  private final HeapTables heaps;
  private final ArgumentBlock arguments;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier: where the columns lie
   */
  public StringParserKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.kernel = backend.kernel("parse_text");
    this.status = backend.newStatus();
    this.heaps = new HeapTables(backend, allocator);
    this.arguments = new ArgumentBlock(ParseTextArgsLayout.SIZE_IN_BYTES);
  }

  /**
   * Makes a column.
   *
   * @param type a constant of {@link io.ariadne.kernel.abi.ParseType}
   * @param resultType the type of the column
   * @param mustParse whether a string that cannot be parsed makes the result unknown, instead of
   *     null
   * @param zone steps of offsets by local times, in kernel memory, or null
   * @param zoneSteps entries of {@code zone}
   * @param rowCount rows of the text
   * @param text the strings
   * @return a plain column owned by the caller, null where the text is null or cannot be parsed; or
   *     null when the kernel does not know the result of a row
   */
  public ColumnVector run(
      int type,
      DataType resultType,
      boolean mustParse,
      MemoryBuffer zone,
      int zoneSteps,
      int rowCount,
      CastInput text) {
    PhysicalType layout = resultType.defaultPhysicalType();
    MemoryBuffer data = null;
    MemoryBuffer validity = null;
    boolean isKnown = false;
    try {
      data = allocator.allocate(layout.dataLengthInBytes(rowCount));
      validity = allocator.allocate(PhysicalType.BOOL.dataLengthInBytes(rowCount));
      status.clear();
      arguments.putLong(ParseTextArgsLayout.STATUS_OFFSET, status.address());
      arguments.putLong(ParseTextArgsLayout.OUT_OFFSET, data.address());
      arguments.putLong(ParseTextArgsLayout.VALIDITY_OFFSET, validity.address());
      arguments.putLong(ParseTextArgsLayout.ZONE_OFFSET, zone == null ? 0 : zone.address());
      arguments.putInt(ParseTextArgsLayout.ZONE_LENGTH_OFFSET, zoneSteps);
      fill(type, resultType, mustParse);
      arguments.putInt(ParseTextArgsLayout.ROWS_OFFSET, rowCount);
      text.put(arguments, ParseTextArgsLayout.TEXT_OFFSET, heaps);
      backend.launch(kernel, LaunchShape.ofRows(rowCount), arguments);
      status.await();
      isKnown = status.errorWord() == 0;
    } finally {
      Closer closer = new Closer();
      if (!isKnown) {
        closer.close(data);
        closer.close(validity);
      }
      closer.close(heaps::release);
      closer.rethrow();
    }
    return isKnown ? column(resultType, rowCount, data, validity) : null;
  }

  private void fill(int type, DataType resultType, boolean mustParse) {
    arguments.putInt(ParseTextArgsLayout.TYPE_OFFSET, type);
    arguments.putInt(ParseTextArgsLayout.KIND_OFFSET, resultType.defaultPhysicalType().code());
    arguments.putInt(ParseTextArgsLayout.RAISES_OFFSET, mustParse ? 1 : 0);
    if (resultType instanceof DecimalType decimal) {
      arguments.putInt(ParseTextArgsLayout.PRECISION_OFFSET, decimal.precision());
      arguments.putInt(ParseTextArgsLayout.SCALE_OFFSET, decimal.scale());
    }
  }

  private ColumnVector column(
      DataType resultType, int rowCount, MemoryBuffer data, MemoryBuffer validity) {
    int nulls = Math.toIntExact(status.detail(0));
    if (nulls == 0) {
      validity.close();
    }
    return new ColumnVector(
        resultType,
        resultType.defaultPhysicalType(),
        rowCount,
        data,
        nulls == 0 ? null : validity,
        nulls,
        List.of(),
        List.of());
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(heaps);
    closer.close(status);
    closer.close(arguments);
    closer.rethrow();
  }
}
