package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.SelectRowsArgsLayout;

/** Lists the rows in which a Boolean column is true. Used by one thread at a time. */
public final class SelectRowsKernel implements AutoCloseable {
  private static final String KERNEL_NAME = "select_rows";
  private static final int ROWS_PER_THREAD = 32;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelCall call;
  private final ArgumentBlock arguments;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   */
  public SelectRowsKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.call =
        new KernelCall(
            backend,
            KERNEL_NAME,
            SelectRowsArgsLayout.SIZE_IN_BYTES,
            SelectRowsArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /**
   * Returns the bytes of the indices of so many rows: the kernel writes up to a multiple of eight.
   */
  public static long indexBytes(int rowCount) {
    return MemoryBuffer.padded((long) rowCount * Integer.BYTES);
  }

  /**
   * Lists the rows that are true, neither false nor null, in ascending order, and waits.
   *
   * @param mask a column of layout BOOL in kernel memory; stays the caller's
   * @param indices a buffer of {@link #indexBytes} of the mask's rows; receives 32-bit row numbers
   * @return how many rows
   */
  public int run(ColumnVector mask, MemoryBuffer indices) {
    if (mask.physicalType() != PhysicalType.BOOL) {
      throw new IllegalArgumentException("a mask has layout BOOL, not " + mask.physicalType());
    }
    int rows = mask.rowCount();
    if (indices.capacityInBytes() < indexBytes(rows)) {
      throw new IllegalArgumentException(
          indices.capacityInBytes() + " bytes for the numbers of " + rows + " rows");
    }
    if (rows == 0) {
      return 0;
    }
    MemoryBuffer workspace = workspace(rows);
    try {
      long validity = mask.validity() == null ? 0 : mask.validity().address();
      arguments.putLong(SelectRowsArgsLayout.MASK_OFFSET, mask.data().address());
      arguments.putLong(SelectRowsArgsLayout.VALIDITY_OFFSET, validity);
      arguments.putLong(SelectRowsArgsLayout.INDICES_OFFSET, indices.address());
      arguments.putLong(
          SelectRowsArgsLayout.WORKSPACE_OFFSET, workspace == null ? 0 : workspace.address());
      arguments.putInt(SelectRowsArgsLayout.ROWS_OFFSET, rows);
      call.run(rows);
    } finally {
      if (workspace != null) {
        workspace.close();
      }
    }
    return Math.toIntExact(call.status().rowsOut());
  }

  private MemoryBuffer workspace(int rows) {
    if (!backend.isBlockParallel()) {
      return null;
    }
    long tileRows = (long) ROWS_PER_THREAD * call.kernel().blockSize();
    MemoryBuffer words = allocator.allocate(Long.BYTES * (1 + (rows + tileRows - 1) / tileRows));
    try {
      backend.clear(words, 0, words.capacityInBytes());
      return words;
    } catch (RuntimeException | Error e) {
      words.close();
      throw e;
    }
  }

  @Override
  public void close() {
    call.close();
  }
}
