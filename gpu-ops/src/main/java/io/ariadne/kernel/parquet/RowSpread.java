package io.ariadne.kernel.parquet;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.kernel.abi.ParquetSpreadArgsLayout;

/**
 * Spreads dense values over rows: the k-th present row gets value k, a null row 0. Kernel {@code
 * parquet_spread}: see {@code parquet/spread.cuh}. Used by one thread at a time.
 */
public final class RowSpread implements AutoCloseable {
  /** Width of booleans, which are bits. */
  public static final int BITS = 0;

  private static final String KERNEL_NAME = "parquet_spread";

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
  public RowSpread(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.call =
        new KernelCall(
            backend,
            KERNEL_NAME,
            ParquetSpreadArgsLayout.SIZE_IN_BYTES,
            ParquetSpreadArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /**
   * Spreads and waits. Dense values and rows do not overlap.
   *
   * @param dense the values
   * @param denseCount how many there are
   * @param width bytes of a value: 1, 2, 4, 8 or 16, or {@link #BITS}
   * @param validity one bit per row
   * @param out receives the rows; the bits after the last boolean of a word are zero
   * @param rows how many there are
   * @return present rows
   * @throws EngineException INTERNAL when more rows are present than there are values
   */
  public int spread(
      MemoryBuffer dense,
      int denseCount,
      int width,
      MemoryBuffer validity,
      MemoryBuffer out,
      int rows) {
    call.begin();
    queue(dense, denseCount, width, validity, out, rows, call.status());
    call.await();
    return Math.toIntExact(call.status().rowsOut());
  }

  /**
   * Queues the same. The status block gets an error when more rows are present than there are
   * values.
   */
  public void queue(
      MemoryBuffer dense,
      int denseCount,
      int width,
      MemoryBuffer validity,
      MemoryBuffer out,
      int rows,
      KernelStatus status) {
    arguments.putLong(ParquetSpreadArgsLayout.STATUS_OFFSET, status.address());
    arguments.putLong(ParquetSpreadArgsLayout.DENSE_OFFSET, dense.address());
    arguments.putLong(ParquetSpreadArgsLayout.VALIDITY_OFFSET, validity.address());
    arguments.putLong(ParquetSpreadArgsLayout.OUT_OFFSET, out.address());
    arguments.putInt(ParquetSpreadArgsLayout.ROWS_OFFSET, rows);
    arguments.putInt(ParquetSpreadArgsLayout.DENSE_COUNT_OFFSET, denseCount);
    arguments.putInt(ParquetSpreadArgsLayout.WIDTH_OFFSET, width);
    if (backend.isBlockParallel()) {
      launchWithWorkspace(rows);
    } else {
      call.launch(rows);
    }
  }

  private void launchWithWorkspace(int rows) {
    long tileRows = (long) call.kernel().blockSize() * call.kernel().itemsPerThread();
    long words = 1 + (rows + tileRows - 1) / tileRows;
    try (MemoryBuffer workspace = allocator.allocate(words * Long.BYTES)) {
      backend.clear(workspace, 0, workspace.capacityInBytes());
      arguments.putLong(ParquetSpreadArgsLayout.WORKSPACE_OFFSET, workspace.address());
      call.launch(rows);
    }
  }

  @Override
  public void close() {
    call.close();
  }
}
