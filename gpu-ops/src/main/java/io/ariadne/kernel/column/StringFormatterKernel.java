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
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.abi.FormatBound;
import io.ariadne.kernel.abi.FormatValueArgsLayout;
import java.util.List;

/** Formats values as strings. Used by one thread at a time. */
public final class StringFormatterKernel implements AutoCloseable {
  private static final long MAX_HEAP_BYTES = Integer.MAX_VALUE;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelFunction kernel;
  private final KernelStatus status;
  private final HeapTables heaps;
  private final ArgumentBlock arguments;

  /**
   * The format of values.
   *
   * @param type a constant of {@link io.ariadne.kernel.abi.FormatType}
   * @param scale digits of decimals after the point
   * @param bound the most bytes of a value, a constant of {@link FormatBound}
   */
  public record Format(int type, int scale, int bound) {}

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier: where the columns lie
   */
  public StringFormatterKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.kernel = backend.kernel("format_text");
    this.status = backend.newStatus();
    this.heaps = new HeapTables(backend, allocator);
    this.arguments = new ArgumentBlock(FormatValueArgsLayout.SIZE_IN_BYTES);
  }

  /**
   * Makes a column.
   *
   * @param format the format of the values
   * @param zone steps of offsets by instants, in kernel memory; null for UTC
   * @param zoneSteps entries of {@code zone}
   * @param rowCount rows of the value
   * @param value the values
   * @return a plain column owned by the caller, null where the value is null; or null when the
   *     strings might take more than 2 GiB
   */
  public ColumnVector run(
      Format format, MemoryBuffer zone, int zoneSteps, int rowCount, CastInput value) {
    long heapBytes = (long) rowCount * format.bound();
    if (heapBytes > MAX_HEAP_BYTES) {
      return null;
    }
    MemoryBuffer views = null;
    MemoryBuffer heap = null;
    MemoryBuffer validity = null;
    try {
      views = allocator.allocate(PhysicalType.VIEW16.dataLengthInBytes(rowCount));
      heap = heapBytes == 0 ? null : allocator.allocate(heapBytes);
      validity = validityOf(value, rowCount);
      long used = launch(format, zone, zoneSteps, rowCount, value, views, heap);
      if (heap != null && used == 0) {
        heap.close();
        heap = null;
      } else if (heap != null) {
        heap = heap.withLength(used);
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(views);
      closer.close(heap);
      closer.close(validity);
      closer.suppressIn(e);
      throw e;
    }
    return new ColumnVector(
        PrimitiveType.STRING,
        PhysicalType.VIEW16,
        rowCount,
        views,
        validity,
        validity == null ? 0 : value.rows().nullCount(),
        heap == null ? List.of() : List.of(new SharedBuffer(heap)),
        List.of());
  }

  private MemoryBuffer validityOf(CastInput value, int rowCount) {
    MemoryBuffer source = value.rows().validity();
    if (source == null) {
      return null;
    }
    long length = PhysicalType.BOOL.dataLengthInBytes(rowCount);
    MemoryBuffer copy = allocator.allocate(length);
    try {
      backend.copy(source, copy, length);
      return copy;
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
  }

  /** Launches the kernel; returns how many bytes of the heap are used. */
  private long launch(
      Format format,
      MemoryBuffer zone,
      int zoneSteps,
      int rowCount,
      CastInput value,
      MemoryBuffer views,
      MemoryBuffer heap) {
    try {
      status.clear();
      arguments.putLong(FormatValueArgsLayout.STATUS_OFFSET, status.address());
      arguments.putLong(FormatValueArgsLayout.OUT_OFFSET, views.address());
      arguments.putLong(FormatValueArgsLayout.HEAP_OFFSET, heap == null ? 0 : heap.address());
      arguments.putLong(FormatValueArgsLayout.ZONE_OFFSET, zone == null ? 0 : zone.address());
      arguments.putInt(FormatValueArgsLayout.ZONE_LENGTH_OFFSET, zoneSteps);
      arguments.putInt(FormatValueArgsLayout.TYPE_OFFSET, format.type());
      arguments.putInt(FormatValueArgsLayout.SCALE_OFFSET, format.scale());
      arguments.putInt(FormatValueArgsLayout.BOUND_OFFSET, format.bound());
      arguments.putInt(FormatValueArgsLayout.ROWS_OFFSET, rowCount);
      value.put(arguments, FormatValueArgsLayout.VALUE_OFFSET, heaps);
      backend.launch(kernel, LaunchShape.ofRows(rowCount), arguments);
      status.await();
      return status.detail(0);
    } finally {
      heaps.release();
    }
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
