package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.kernel.abi.ParquetSnappyArgsLayout;

/**
 * Decompresses raw Snappy blocks, the bodies of pages.
 *
 * <p>Window: {@code data} = the block; {@code count} = length of its result, which the block has to
 * declare; {@code out} takes exactly so many bytes. Errors: SIZE when the block declares another
 * length, RUN HEADER when it declares none; TRUNCATED, DISTANCE and LENGTH at the byte of an
 * element; TRUNCATED at the end when bytes are missing. Used by one thread at a time.
 */
public final class SnappyDecoder implements AutoCloseable {
  private final StreamWindowKernel kernel;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   */
  public SnappyDecoder(Backend backend, BufferAllocator allocator) {
    this.kernel =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_snappy",
            new StreamWindowKernel.Fields(
                ParquetSnappyArgsLayout.STATUS_OFFSET,
                ParquetSnappyArgsLayout.TASKS_OFFSET,
                ParquetSnappyArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Decompresses and waits for the bytes.
   *
   * @param windows the blocks
   * @throws ParquetPageException when one is damaged; what was written is then unspecified
   */
  public void decompress(StreamWindows windows) {
    kernel.runWarps(windows);
  }

  /**
   * Queues the same; {@link DenseDecoder#errorOf} the status block tells what is damaged.
   *
   * @param status serves this launch alone
   */
  public void queue(StreamWindows windows, KernelStatus status) {
    kernel.launchWarps(windows, status);
  }

  @Override
  public void close() {
    kernel.close();
  }
}
