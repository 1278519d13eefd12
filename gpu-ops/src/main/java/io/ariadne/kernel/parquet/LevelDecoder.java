package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetCountsLayout;
import io.ariadne.kernel.abi.ParquetLevelsArgsLayout;
import io.ariadne.kernel.abi.ParquetValidityArgsLayout;

/**
 * Decodes repetition and definition levels (hybrid of run-length and bit-packed runs, without the
 * length prefix). Kernels {@code parquet_validity} and {@code parquet_levels}: see {@code
 * parquet/hybrid.cuh}. Used by one thread at a time.
 */
public final class LevelDecoder implements AutoCloseable {
  private static final int MAXIMUM_SHIFT = 16;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final StreamWindowKernel validity;
  private final StreamWindowKernel levels;

  /**
   * Prepares launches.
   *
   * @param backend where kernels run
   * @param allocator memory of the back end's tier
   */
  public LevelDecoder(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.validity =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_validity",
            new StreamWindowKernel.Fields(
                ParquetValidityArgsLayout.STATUS_OFFSET,
                ParquetValidityArgsLayout.TASKS_OFFSET,
                ParquetValidityArgsLayout.TASK_COUNT_OFFSET));
    this.levels =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_levels",
            new StreamWindowKernel.Fields(
                ParquetLevelsArgsLayout.STATUS_OFFSET,
                ParquetLevelsArgsLayout.TASKS_OFFSET,
                ParquetLevelsArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Returns the {@code limit} of a validity window.
   *
   * @param maximum the column's maximum definition level, below 32768
   * @param threshold the definition level from which on a row is present
   */
  public static int limit(int maximum, int threshold) {
    return maximum << MAXIMUM_SHIFT | threshold;
  }

  /**
   * Converts definition levels to validity bits and waits for them. A window: skip and count in
   * levels; width 0 to 16 bits; limit from {@link #limit}; value i is bit {@code aux + i} of {@code
   * out}, words that the caller has zeroed and that windows may share.
   *
   * @return how many rows are present, by window
   * @throws ParquetPageException when a stream is damaged; the bits are then unspecified
   */
  public PresentCounts validity(StreamWindows windows) {
    return run(validity, ParquetValidityArgsLayout.COUNTS_OFFSET, windows);
  }

  /**
   * Unpacks levels to one byte each and waits for them. A window: skip and count in levels; width 0
   * to 8 bits; limit = the maximum level; {@code out} takes one byte per level.
   *
   * @return how many levels equal their maximum, by window
   * @throws ParquetPageException when a stream is damaged; the levels are then unspecified
   */
  public PresentCounts levels(StreamWindows windows) {
    return run(levels, ParquetLevelsArgsLayout.COUNTS_OFFSET, windows);
  }

  private PresentCounts run(StreamWindowKernel kernel, int countsField, StreamWindows windows) {
    long bytes = (long) windows.size() * ParquetCountsLayout.SIZE_IN_BYTES;
    try (MemoryBuffer counts = allocator.allocate(bytes)) {
      kernel.arguments().putLong(countsField, counts.address());
      kernel.run(windows);
      return PresentCounts.read(backend, counts, windows.size());
    }
  }

  @Override
  public void close() {
    levels.close();
    validity.close();
  }
}
