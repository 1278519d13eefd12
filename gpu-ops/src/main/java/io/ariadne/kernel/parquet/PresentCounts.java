package io.ariadne.kernel.parquet;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetCountsLayout;

/**
 * How many of the values that each task skipped, and of those it decoded, are present. Immutable.
 */
public final class PresentCounts {
  private final int[] skipped;
  private final int[] counted;

  private PresentCounts(int[] skipped, int[] counted) {
    this.skipped = skipped;
    this.counted = counted;
  }

  /** Reads the kernel's array after the launch. */
  static PresentCounts read(Backend backend, MemoryBuffer counts, int tasks) {
    int[] skipped = new int[tasks];
    int[] counted = new int[tasks];
    if (tasks > 0) {
      int size = tasks * ParquetCountsLayout.SIZE_IN_BYTES;
      try (ArgumentBlock host = new ArgumentBlock(size)) {
        backend.read(counts, 0, host.address(), size);
        for (int task = 0; task < tasks; task++) {
          int at = task * ParquetCountsLayout.SIZE_IN_BYTES;
          skipped[task] = host.getInt(at + ParquetCountsLayout.SKIPPED_OFFSET);
          counted[task] = host.getInt(at + ParquetCountsLayout.COUNTED_OFFSET);
        }
      }
    }
    return new PresentCounts(skipped, counted);
  }

  /** Returns how many of the skipped values of a task are present. */
  public int skipped(int task) {
    return skipped[task];
  }

  /** Returns how many of the decoded values of a task are present. */
  public int counted(int task) {
    return counted[task];
  }

  /** Returns how many of the decoded values of all tasks are present. */
  public long totalCounted() {
    long total = 0;
    for (int count : counted) {
      total += count;
    }
    return total;
  }
}
