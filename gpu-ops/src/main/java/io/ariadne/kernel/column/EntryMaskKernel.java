package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.EntryMaskArgsLayout;

/**
 * Gives each row of a dictionary column the truth value of its entry. Used by one thread at a time.
 */
public final class EntryMaskKernel implements AutoCloseable {
  private static final String KERNEL_NAME = "entry_mask";

  private final Backend backend;
  private final KernelFunction kernel;
  private final KernelStatus status;
  private final ArgumentBlock arguments;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   */
  public EntryMaskKernel(Backend backend) {
    this.backend = backend;
    this.kernel = backend.kernel(KERNEL_NAME);
    this.status = backend.newStatus();
    this.arguments = new ArgumentBlock(EntryMaskArgsLayout.SIZE_IN_BYTES);
  }

  /** Returns bytes of a mask of so many rows: whole words of 64. */
  public static long maskBytes(int rowCount) {
    return MemoryBuffer.padded(PhysicalType.BOOL.dataLengthInBytes(rowCount));
  }

  /**
   * Fills a mask and waits.
   *
   * @param codes the rows' 32-bit codes, memory that kernels see
   * @param rowCount rows
   * @param truths a byte per entry, 0 or 1, memory that kernels see
   * @param mask room for {@link #maskBytes}; a bit per row is written, also of rows that are null
   */
  public void run(MemoryBuffer codes, int rowCount, MemoryBuffer truths, MemoryBuffer mask) {
    if (mask.capacityInBytes() < maskBytes(rowCount)) {
      throw new IllegalArgumentException(
          mask.capacityInBytes() + " bytes for the mask of " + rowCount + " rows");
    }
    if (rowCount == 0) {
      return;
    }
    arguments.putLong(EntryMaskArgsLayout.STATUS_OFFSET, status.address());
    arguments.putLong(EntryMaskArgsLayout.CODES_OFFSET, codes.address());
    arguments.putLong(EntryMaskArgsLayout.TRUTHS_OFFSET, truths.address());
    arguments.putLong(EntryMaskArgsLayout.MASK_OFFSET, mask.address());
    arguments.putInt(EntryMaskArgsLayout.ROWS_OFFSET, rowCount);
    status.clear();
    backend.launch(kernel, LaunchShape.ofRows(rowCount), arguments);
    status.await();
    if (status.errorWord() != 0) {
      throw new EngineException(ErrorCode.INTERNAL, "kernel " + KERNEL_NAME + " failed");
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(status);
    closer.close(arguments);
    closer.rethrow();
  }
}
