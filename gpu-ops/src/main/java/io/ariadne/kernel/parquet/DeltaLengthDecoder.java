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
 * <p>The fields of a window: {@code data} is the whole stream. {@code aux} has the number of the
 * heap that contains the stream in its upper 32 bits, and the stream's offset in that heap in its
 * lower 32 bits; the heap is shorter than 2^31 bytes. {@code out} receives a view of 16 bytes per
 * value. Skipped values cost as much as decoded values.
 *
 * <p>Errors: those of {@link DeltaDecoder}, and LENGTH, at the first byte of the value, when a
 * value is longer than the stream. Used by one thread at a time.
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
   * @return the extent of each window's values
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
