package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetBinaryResultLayout;
import io.ariadne.kernel.abi.ParquetDeltaLengthArgsLayout;
import java.util.List;

/**
 * Decodes DELTA_LENGTH_BYTE_ARRAY to string views of the stream's bytes.
 *
 * <p>Window: {@code data} = the whole stream; {@code aux} = number of the heap that it lies in,
 * shifted left by 32, and its offset in that heap, which is shorter than 2^31 bytes; {@code out}
 * takes 16 bytes per value. Skipped values cost as much as decoded ones. Errors: those of {@link
 * DeltaDecoder}, and LENGTH at the value's first byte. Used by one thread at a time.
 */
public final class DeltaLengthDecoder implements AutoCloseable {
  private final Backend backend;
  private final BufferAllocator allocator;
  private final StreamWindowKernel kernel;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   */
  public DeltaLengthDecoder(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.kernel =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_delta_length",
            new StreamWindowKernel.Fields(
                ParquetDeltaLengthArgsLayout.STATUS_OFFSET,
                ParquetDeltaLengthArgsLayout.TASKS_OFFSET,
                ParquetDeltaLengthArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Makes string views and waits for them.
   *
   * @param windows the windows
   * @return what was found, by window
   * @throws ParquetPageException when a stream is damaged; the views are then unspecified
   */
  public List<BinaryDecoder.Extent> decode(StreamWindows windows) {
    long bytes = (long) windows.size() * ParquetBinaryResultLayout.SIZE_IN_BYTES;
    try (MemoryBuffer results = allocator.allocate(bytes)) {
      kernel.arguments().putLong(ParquetDeltaLengthArgsLayout.RESULTS_OFFSET, results.address());
      kernel.runWarps(windows);
      return BinaryDecoder.read(backend, results, windows.size());
    }
  }

  @Override
  public void close() {
    kernel.close();
  }
}
