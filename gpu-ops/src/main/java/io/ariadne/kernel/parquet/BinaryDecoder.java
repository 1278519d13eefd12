package io.ariadne.kernel.parquet;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetBinaryArgsLayout;
import io.ariadne.kernel.abi.ParquetBinaryResultLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes PLAIN binaries of any length to string views. Kernel {@code parquet_binary}: see {@code
 * parquet/binary.cuh}. Used by one thread at a time.
 */
public final class BinaryDecoder implements AutoCloseable {
  private final Backend backend;
  private final BufferAllocator allocator;
  private final StreamWindowKernel kernel;

  /**
   * What the decoder found in a window's values, including skipped ones.
   *
   * @param bytes length of the stream up to the end of the last value
   * @param longest length of the longest value; up to 12, no view refers to the heap
   */
  public record Extent(long bytes, int longest) {}

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   */
  public BinaryDecoder(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.kernel =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_binary",
            new StreamWindowKernel.Fields(
                ParquetBinaryArgsLayout.STATUS_OFFSET,
                ParquetBinaryArgsLayout.TASKS_OFFSET,
                ParquetBinaryArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Makes string views and waits for them. The fields of a window: {@code skip} and {@code count}
   * are numbers of values. {@code aux} has the number of the heap that contains {@code data} in its
   * upper 32 bits, and the offset of {@code data} in that heap in its lower 32 bits; the heap is
   * shorter than 2^31 bytes. {@code out} receives 16 bytes per value.
   *
   * @return the extent of each window's values
   * @throws ParquetPageException when a stream is damaged; the views are then unspecified
   */
  public List<Extent> decode(StreamWindows windows) {
    long bytes = (long) windows.size() * ParquetBinaryResultLayout.SIZE_IN_BYTES;
    try (MemoryBuffer results = allocator.allocate(bytes)) {
      kernel.arguments().putLong(ParquetBinaryArgsLayout.RESULTS_OFFSET, results.address());
      kernel.run(windows);
      return read(backend, results, windows.size());
    }
  }

  /** Reads the results of a launch. */
  static List<Extent> read(Backend backend, MemoryBuffer results, int windowCount) {
    List<Extent> extents = new ArrayList<>(windowCount);
    if (windowCount == 0) {
      return extents;
    }
    int size = windowCount * ParquetBinaryResultLayout.SIZE_IN_BYTES;
    try (ArgumentBlock host = new ArgumentBlock(size)) {
      backend.read(results, 0, host.address(), size);
      for (int window = 0; window < windowCount; window++) {
        int at = window * ParquetBinaryResultLayout.SIZE_IN_BYTES;
        extents.add(
            new Extent(
                host.getLong(at + ParquetBinaryResultLayout.BYTES_OFFSET),
                host.getInt(at + ParquetBinaryResultLayout.LONGEST_OFFSET)));
      }
    }
    return extents;
  }

  @Override
  public void close() {
    kernel.close();
  }
}
