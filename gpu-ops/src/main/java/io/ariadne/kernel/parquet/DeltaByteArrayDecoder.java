package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.ParquetBinaryResultLayout;
import io.ariadne.kernel.abi.ParquetDeltaByteArrayArgsLayout;
import io.ariadne.kernel.abi.ParquetDeltaByteArrayFillArgsLayout;
import java.util.List;

/**
 * Decodes DELTA_BYTE_ARRAY to string views over a heap of their own.
 *
 * <p>Window: {@code data} = the whole stream; {@code count} = values from its first on, {@code
 * skip} = 0; {@code out} takes 16 bytes per value; the other fields are not used. Errors: those of
 * {@link DeltaDecoder}, and LENGTH at the suffix of the wrong value. Used by one thread at a time.
 */
public final class DeltaByteArrayDecoder implements AutoCloseable {
  private static final int PADDING = 16;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final StreamWindowKernel lengths;
  private final StreamWindowKernel fill;

  /**
   * Decoded strings.
   *
   * @param heap bytes of all values, owned by the receiver
   * @param longest length of the longest value; up to 12 no view refers to the heap
   */
  public record Strings(MemoryBuffer heap, int longest) {}

  /**
   * Prepares launches.
   *
   * @param backend where the kernels run
   * @param allocator memory of the back end's tier
   */
  public DeltaByteArrayDecoder(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.lengths =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_delta_byte_array",
            new StreamWindowKernel.Fields(
                ParquetDeltaByteArrayArgsLayout.STATUS_OFFSET,
                ParquetDeltaByteArrayArgsLayout.TASKS_OFFSET,
                ParquetDeltaByteArrayArgsLayout.TASK_COUNT_OFFSET));
    this.fill =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_delta_byte_array_fill",
            new StreamWindowKernel.Fields(
                ParquetDeltaByteArrayFillArgsLayout.STATUS_OFFSET,
                ParquetDeltaByteArrayFillArgsLayout.TASKS_OFFSET,
                ParquetDeltaByteArrayFillArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Makes the views and their heap, and waits for them.
   *
   * @param windows the streams; two fields of each are overwritten
   * @param heapNumber number of the heap in the views
   * @return the heap
   * @throws ParquetPageException when a stream is damaged
   * @throws EngineException UNSUPPORTED when the values of the windows together exceed 2^31 bytes,
   *     OUT_OF_MEMORY when the heap cannot be allocated
   */
  public Strings decode(StreamWindows windows, int heapNumber) {
    List<BinaryDecoder.Extent> extents = readLengths(windows);
    long bytes = 0;
    int longest = 0;
    for (BinaryDecoder.Extent extent : extents) {
      bytes += Math.min(extent.bytes(), Integer.MAX_VALUE);
      longest = Math.max(longest, extent.longest());
    }
    if (bytes > Integer.MAX_VALUE - PADDING) {
      throw new EngineException(
          ErrorCode.UNSUPPORTED,
          "strings of " + windows.size() + " DELTA_BYTE_ARRAY pages exceed 2 GiB");
    }
    long offset = (long) heapNumber << Integer.SIZE;
    for (int window = 0; window < windows.size(); window++) {
      windows.set(window, offset, extents.get(window).longest());
      offset += extents.get(window).bytes();
    }
    return new Strings(fillHeap(windows, bytes), longest);
  }

  /**
   * Returns the bytes of a heap of all values, without making it.
   *
   * @param windows the streams, as for {@link #decode}; the memory at {@code out} is overwritten
   * @throws ParquetPageException when a stream is damaged
   */
  public long heapBytes(StreamWindows windows) {
    return readLengths(windows).stream().mapToLong(BinaryDecoder.Extent::bytes).sum();
  }

  private List<BinaryDecoder.Extent> readLengths(StreamWindows windows) {
    long bytes = (long) windows.size() * ParquetBinaryResultLayout.SIZE_IN_BYTES;
    try (MemoryBuffer results = allocator.allocate(bytes)) {
      lengths
          .arguments()
          .putLong(ParquetDeltaByteArrayArgsLayout.RESULTS_OFFSET, results.address());
      lengths.runWarps(windows);
      return BinaryDecoder.read(backend, results, windows.size());
    }
  }

  private MemoryBuffer fillHeap(StreamWindows windows, long bytes) {
    MemoryBuffer heap = allocator.allocate(bytes + PADDING);
    try {
      fill.arguments().putLong(ParquetDeltaByteArrayFillArgsLayout.HEAP_OFFSET, heap.address());
      fill.run(windows);
      return heap;
    } catch (RuntimeException | Error e) {
      heap.close();
      throw e;
    }
  }

  @Override
  public void close() {
    lengths.close();
    fill.close();
  }
}
