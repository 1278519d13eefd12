package io.ariadne.kernel.parquet;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetCountsLayout;

/**
 * How many values of each task are present: among those it skipped and among those it decoded.
 * Immutable.
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

  /** Returns the present values among those a task skipped. */
  public int skipped(int task) {
    return skipped[task];
  }

  /** Returns the present values among those a task decoded. */
  public int counted(int task) {
    return counted[task];
  }

  /** Returns the present values that all tasks decoded. */
  public long totalCounted() {
    long total = 0;
    for (int count : counted) {
      total += count;
    }
    return total;
  }
}
