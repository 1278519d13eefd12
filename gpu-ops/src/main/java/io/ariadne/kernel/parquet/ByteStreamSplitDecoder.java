package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.kernel.abi.ParquetByteStreamSplitArgsLayout;

/**
 * Decodes BYTE_STREAM_SPLIT to contiguous values, as PLAIN would store them.
 *
 * <p>Window: {@code data} = the whole stream; {@code width} = bytes of a value, 1 to 65535; {@code
 * out} = values, aligned to 4 if the width is a multiple of 4. Errors: WIDTH; TRUNCATED when the
 * stream is no multiple of the width or has too few values. Used by one thread at a time.
 */
public final class ByteStreamSplitDecoder implements AutoCloseable {
  private final StreamWindowKernel kernel;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   */
  public ByteStreamSplitDecoder(Backend backend, BufferAllocator allocator) {
    this.kernel =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_byte_stream_split",
            new StreamWindowKernel.Fields(
                ParquetByteStreamSplitArgsLayout.STATUS_OFFSET,
                ParquetByteStreamSplitArgsLayout.TASKS_OFFSET,
                ParquetByteStreamSplitArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Decodes and waits for the values.
   *
   * @param windows the windows
   * @throws ParquetPageException when a stream is damaged
   */
  public void decode(StreamWindows windows) {
    kernel.runValues(windows);
  }

  @Override
  public void close() {
    kernel.close();
  }
}
