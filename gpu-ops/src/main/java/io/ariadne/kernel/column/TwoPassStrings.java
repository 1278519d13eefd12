package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelError;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.StringOffsetsArgsLayout;
import java.util.List;

/**
 * Computes string columns with two kernels that have the same arguments: the first computes
 * lengths; after these are summed, the second writes characters. Used by one thread at a time.
 */
final class TwoPassStrings implements AutoCloseable {
  private static final int OFFSETS_PER_THREAD = 4;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelFunction lengths;
  private final KernelFunction offsets;
  private final KernelFunction characters;
  private final Places places;
  private final KernelStatus status;
  private final ArgumentBlock arguments;
  private final ArgumentBlock offsetArguments;

  /**
   * Where the fields that every such kernel has are in its arguments.
   *
   * @param size of the arguments
   * @param status the launch's status
   * @param out views
   * @param validity the result's validity, 0 for none
   * @param offsets of rows in the heap
   * @param heap characters
   */
  record Places(int size, int status, int out, int validity, int offsets, int heap) {}

  /**
   * Prepares launches.
   *
   * @param backend where the kernels run
   * @param allocator memory of the back end's tier
   * @param lengths name of the first kernel
   * @param characters name of the second one
   * @param places fields of their arguments
   */
  TwoPassStrings(
      Backend backend,
      BufferAllocator allocator,
      String lengths,
      String characters,
      Places places) {
    this.backend = backend;
    this.allocator = allocator;
    this.lengths = backend.kernel(lengths);
    this.offsets = backend.kernel("string_offsets");
    this.characters = backend.kernel(characters);
    this.places = places;
    this.status = backend.newStatus();
    this.arguments = new ArgumentBlock(places.size());
    this.offsetArguments = new ArgumentBlock(StringOffsetsArgsLayout.SIZE_IN_BYTES);
  }

  /** Returns the arguments; the caller fills the other fields before {@link #run}. */
  ArgumentBlock arguments() {
    return arguments;
  }

  /**
   * Makes a column.
   *
   * @param type STRING or BINARY
   * @param rowCount rows
   * @param mayHaveNulls whether the first kernel writes a validity
   * @return a plain column owned by the caller; or null when the kernels do not know the result of
   *     a row, or the strings take more than 2 GiB
   */
  ColumnVector run(DataType type, int rowCount, boolean mayHaveNulls) {
    Closer onFailure = new Closer();
    MemoryBuffer views = null;
    MemoryBuffer validity = null;
    SharedBuffer heap = null;
    try (MemoryBuffer starts = allocator.allocate((rowCount + 1L) * Integer.BYTES)) {
      views = allocator.allocate(PhysicalType.VIEW16.dataLengthInBytes(rowCount));
      if (mayHaveNulls) {
        validity = allocator.allocate(PhysicalType.BOOL.dataLengthInBytes(rowCount));
      }
      arguments.putLong(places.status(), status.address());
      arguments.putLong(places.out(), views.address());
      arguments.putLong(places.validity(), validity == null ? 0 : validity.address());
      arguments.putLong(places.offsets(), starts.address());
      arguments.putLong(places.heap(), 0);
      status.clear();
      backend.launch(lengths, LaunchShape.ofRows(rowCount), arguments);
      long heapBytes = launchOffsets(views, starts, rowCount);
      if (heapBytes < 0) {
        views.close();
        closeIfThere(validity);
        return null;
      }
      heap = new SharedBuffer(allocator.allocate(Math.max(1, heapBytes)));
      arguments.putLong(places.heap(), heap.address());
      status.clear();
      backend.launch(characters, LaunchShape.ofRows(rowCount), arguments);
      status.await();
      if (status.errorWord() != 0) {
        throw new EngineException(
            ErrorCode.INTERNAL,
            "kernel " + characters.name() + ": " + KernelError.decode(status.errorWord()));
      }
      int nulls = validity == null ? 0 : ColumnVector.UNKNOWN_NULL_COUNT;
      return new ColumnVector(
          type, PhysicalType.VIEW16, rowCount, views, validity, nulls, List.of(heap), List.of());
    } catch (RuntimeException | Error e) {
      onFailure.close(views);
      onFailure.close(validity);
      onFailure.close(heap == null ? null : heap::release);
      onFailure.suppressIn(e);
      throw e;
    }
  }

  private static void closeIfThere(MemoryBuffer buffer) {
    if (buffer != null) {
      buffer.close();
    }
  }

  /**
   * Sums the lengths; returns the bytes of the heap, or -1 when these or the result of a row are
   * not supported.
   */
  private long launchOffsets(MemoryBuffer views, MemoryBuffer starts, int rowCount) {
    long tileRows = (long) OFFSETS_PER_THREAD * offsets.blockSize();
    long words = backend.isBlockParallel() ? 1 + (rowCount + tileRows - 1) / tileRows : 1;
    try (MemoryBuffer workspace = allocator.allocate(Long.BYTES * words)) {
      backend.clear(workspace, 0, workspace.capacityInBytes());
      offsetArguments.putLong(StringOffsetsArgsLayout.STATUS_OFFSET, status.address());
      offsetArguments.putLong(StringOffsetsArgsLayout.VIEWS_OFFSET, views.address());
      offsetArguments.putLong(StringOffsetsArgsLayout.VALIDITY_OFFSET, 0);
      offsetArguments.putLong(StringOffsetsArgsLayout.OFFSETS_OFFSET, starts.address());
      offsetArguments.putLong(StringOffsetsArgsLayout.WORKSPACE_OFFSET, workspace.address());
      offsetArguments.putInt(StringOffsetsArgsLayout.ROWS_OFFSET, rowCount);
      backend.launch(offsets, LaunchShape.ofRows(rowCount), offsetArguments);
      status.await();
    }
    return status.errorWord() == 0 ? status.detail(0) : -1;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(status);
    closer.close(arguments);
    closer.close(offsetArguments);
    closer.rethrow();
  }
}
