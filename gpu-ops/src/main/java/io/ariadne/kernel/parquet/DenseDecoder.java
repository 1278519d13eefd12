package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.kernel.abi.ParquetBitsArgsLayout;
import io.ariadne.kernel.abi.ParquetCodesArgsLayout;
import io.ariadne.kernel.abi.ParquetFixedBinaryArgsLayout;
import java.util.Optional;

/**
 * Decodes dictionary indices, booleans and fixed-length binaries to dense values, that is, values
 * without gaps for nulls. Kernels {@code parquet_codes}, {@code parquet_bits} (see {@code
 * parquet/hybrid.cuh}) and {@code parquet_fixed_binary}. Used by one thread at a time.
 *
 * <p>Every method queues one launch over the windows. The launch reports errors to the given status
 * block, and {@link #await} raises them. A status block should serve one launch at a time, because
 * an error names a window by its number in the launch.
 */
public final class DenseDecoder implements AutoCloseable {
  private final StreamWindowKernel codes;
  private final StreamWindowKernel bits;
  private final StreamWindowKernel fixedBinary;

  /**
   * Prepares launches.
   *
   * @param backend where kernels run
   * @param allocator memory of the back end's tier
   */
  public DenseDecoder(Backend backend, BufferAllocator allocator) {
    this.codes =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_codes",
            new StreamWindowKernel.Fields(
                ParquetCodesArgsLayout.STATUS_OFFSET,
                ParquetCodesArgsLayout.TASKS_OFFSET,
                ParquetCodesArgsLayout.TASK_COUNT_OFFSET));
    this.bits =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_bits",
            new StreamWindowKernel.Fields(
                ParquetBitsArgsLayout.STATUS_OFFSET,
                ParquetBitsArgsLayout.TASKS_OFFSET,
                ParquetBitsArgsLayout.TASK_COUNT_OFFSET));
    this.fixedBinary =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_fixed_binary",
            new StreamWindowKernel.Fields(
                ParquetFixedBinaryArgsLayout.STATUS_OFFSET,
                ParquetFixedBinaryArgsLayout.TASKS_OFFSET,
                ParquetFixedBinaryArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Decodes dictionary indices, without the byte that has their width. A window: width 0 to 32
   * bits; limit = entries of the dictionary, which every index must be below; {@code out} takes 32
   * bits per index.
   */
  public void codes(StreamWindows windows, KernelStatus status) {
    codes.launch(windows, status);
  }

  /**
   * Decodes booleans to bits. The fields of a window: {@code width} is 1 for run-length encoding
   * (without the length prefix), and 0 for plain encoding. {@code out} points to words that the
   * caller has zeroed and that windows may share; value i becomes their bit {@code aux + i}.
   */
  public void bits(StreamWindows windows, KernelStatus status) {
    bits.launch(windows, status);
  }

  /**
   * Makes string views of fixed-length values. The fields of a window: {@code width} is the length
   * of a value in bytes. {@code aux} has the number of the heap that contains {@code data} in its
   * upper 32 bits, and the offset of {@code data} in that heap in its lower 32 bits. {@code out}
   * receives 16 bytes per value. Values of up to 12 bytes do not refer to the heap.
   */
  public void fixedBinary(StreamWindows windows, KernelStatus status) {
    fixedBinary.launch(windows, status, LaunchShape.ofRows(windows.valueCount()));
  }

  /**
   * Waits for the launches that use a status block.
   *
   * @throws ParquetPageException when a stream is damaged; the values are then unspecified
   */
  public static void await(KernelStatus status) {
    StreamWindowKernel.await(status);
  }

  /** Returns the error of launches that were waited for. */
  public static Optional<ParquetPageException> errorOf(KernelStatus status) {
    return StreamWindowKernel.errorOf(status);
  }

  @Override
  public void close() {
    fixedBinary.close();
    bits.close();
    codes.close();
  }
}
