package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.EntryMaskArgsLayout;

/**
 * Writes, for each row of a dictionary column, the truth value of its entry. Used by one thread at
 * a time.
 */
public final class EntryMaskKernel implements AutoCloseable {
  private static final String KERNEL_NAME = "entry_mask";

  private final KernelCall call;
  private final ArgumentBlock arguments;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   */
  public EntryMaskKernel(Backend backend) {
    this.call =
        new KernelCall(
            backend,
            KERNEL_NAME,
            EntryMaskArgsLayout.SIZE_IN_BYTES,
            EntryMaskArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /** Returns the bytes of a mask of so many rows: whole 64-bit words. */
  public static long maskBytes(int rowCount) {
    return MemoryBuffer.padded(PhysicalType.BOOL.dataLengthInBytes(rowCount));
  }

  /**
   * Fills a mask and waits.
   *
   * @param codes the 32-bit codes of the rows, in kernel memory
   * @param rowCount rows
   * @param truths a byte per entry, 0 or 1, in kernel memory
   * @param mask a buffer of {@link #maskBytes}; receives a bit per row, also for null rows
   */
  public void run(MemoryBuffer codes, int rowCount, MemoryBuffer truths, MemoryBuffer mask) {
    if (mask.capacityInBytes() < maskBytes(rowCount)) {
      throw new IllegalArgumentException(
          mask.capacityInBytes() + " bytes for the mask of " + rowCount + " rows");
    }
    if (rowCount == 0) {
      return;
    }
    arguments.putLong(EntryMaskArgsLayout.CODES_OFFSET, codes.address());
    arguments.putLong(EntryMaskArgsLayout.TRUTHS_OFFSET, truths.address());
    arguments.putLong(EntryMaskArgsLayout.MASK_OFFSET, mask.address());
    arguments.putInt(EntryMaskArgsLayout.ROWS_OFFSET, rowCount);
    call.run(rowCount);
  }

  @Override
  public void close() {
    call.close();
  }
}
