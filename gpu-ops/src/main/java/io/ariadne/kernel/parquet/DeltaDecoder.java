package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.kernel.abi.ParquetDeltaArgsLayout;

/**
 * Decodes DELTA_BINARY_PACKED integers.
 *
 * <p>Window: {@code data} = the whole stream; {@code width} = bytes of a value, 4 or 8; {@code out}
 * = values; skipped values cost as much as decoded ones. Arithmetic wraps. Errors: WIDTH, DELTA
 * (sizes in the header), TRUNCATED, also when the stream has fewer values than asked for; see
 * {@code parquet/delta.cuh}. Used by one thread at a time.
 */
public final class DeltaDecoder implements AutoCloseable {
  private final StreamWindowKernel kernel;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   */
  public DeltaDecoder(Backend backend, BufferAllocator allocator) {
    this.kernel =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_delta",
            new StreamWindowKernel.Fields(
                ParquetDeltaArgsLayout.STATUS_OFFSET,
                ParquetDeltaArgsLayout.TASKS_OFFSET,
                ParquetDeltaArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Decodes and waits for the values.
   *
   * @param windows the windows
   * @throws ParquetPageException when a stream is damaged; the values are then unspecified
   */
  public void decode(StreamWindows windows) {
    kernel.runWarps(windows);
  }

  @Override
  public void close() {
    kernel.close();
  }
}
