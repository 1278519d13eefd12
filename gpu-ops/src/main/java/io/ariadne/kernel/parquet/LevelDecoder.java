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
  private final TaskKernel validity;
  private final TaskKernel levels;

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
        new TaskKernel(
            backend,
            allocator,
            "parquet_validity",
            new TaskKernel.Fields(
                ParquetValidityArgsLayout.STATUS_OFFSET,
                ParquetValidityArgsLayout.TASKS_OFFSET,
                ParquetValidityArgsLayout.TASK_COUNT_OFFSET));
    this.levels =
        new TaskKernel(
            backend,
            allocator,
            "parquet_levels",
            new TaskKernel.Fields(
                ParquetLevelsArgsLayout.STATUS_OFFSET,
                ParquetLevelsArgsLayout.TASKS_OFFSET,
                ParquetLevelsArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Returns the {@code limit} of a validity task.
   *
   * @param maximum the column's maximum definition level, below 32768
   * @param threshold the definition level from which on a row is present
   */
  public static int limit(int maximum, int threshold) {
    return maximum << MAXIMUM_SHIFT | threshold;
  }

  /**
   * Converts definition levels to validity bits and waits for them. A task: skip and count in
   * levels; width 0 to 16 bits; limit from {@link #limit}; value i is bit {@code aux + i} of {@code
   * out}, words that the caller has zeroed and that tasks may share.
   *
   * @return how many rows are present, by task
   * @throws ParquetPageException when a stream is damaged; the bits are then unspecified
   */
  public PresentCounts validity(ParquetTasks tasks) {
    return run(validity, ParquetValidityArgsLayout.COUNTS_OFFSET, tasks);
  }

  /**
   * Unpacks levels to one byte each and waits for them. A task: skip and count in levels; width 0
   * to 8 bits; limit = the maximum level; {@code out} takes one byte per level.
   *
   * @return how many levels equal their maximum, by task
   * @throws ParquetPageException when a stream is damaged; the levels are then unspecified
   */
  public PresentCounts levels(ParquetTasks tasks) {
    return run(levels, ParquetLevelsArgsLayout.COUNTS_OFFSET, tasks);
  }

  private PresentCounts run(TaskKernel kernel, int countsField, ParquetTasks tasks) {
    long bytes = (long) tasks.size() * ParquetCountsLayout.SIZE_IN_BYTES;
    try (MemoryBuffer counts = allocator.allocate(bytes)) {
      kernel.arguments().putLong(countsField, counts.address());
      kernel.run(tasks);
      return PresentCounts.read(backend, counts, tasks.size());
    }
  }

  @Override
  public void close() {
    levels.close();
    validity.close();
  }
}
