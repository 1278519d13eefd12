package io.ariadne.kernel.parquet;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetCountsLayout;

/**
 * How many of the values that each window skipped, and of those it decoded, are present. Immutable.
 */
public final class PresentCounts {
  private final int[] skipped;
  private final int[] counted;

  private PresentCounts(int[] skipped, int[] counted) {
    this.skipped = skipped;
    this.counted = counted;
  }

  /** Reads the kernel's array after the launch. */
  static PresentCounts read(Backend backend, MemoryBuffer counts, int windowCount) {
    int[] skipped = new int[windowCount];
    int[] counted = new int[windowCount];
    if (windowCount > 0) {
      int size = windowCount * ParquetCountsLayout.SIZE_IN_BYTES;
      try (ArgumentBlock host = new ArgumentBlock(size)) {
        backend.read(counts, 0, host.address(), size);
        for (int window = 0; window < windowCount; window++) {
          int at = window * ParquetCountsLayout.SIZE_IN_BYTES;
          skipped[window] = host.getInt(at + ParquetCountsLayout.SKIPPED_OFFSET);
          counted[window] = host.getInt(at + ParquetCountsLayout.COUNTED_OFFSET);
        }
      }
    }
    return new PresentCounts(skipped, counted);
  }

  /** Returns how many of the skipped values of a window are present. */
  public int skipped(int window) {
    return skipped[window];
  }

  /** Returns how many of the decoded values of a window are present. */
  public int counted(int window) {
    return counted[window];
  }

  /** Returns how many of the decoded values of all windows are present. */
  public long totalCounted() {
    long total = 0;
    for (int count : counted) {
      total += count;
    }
    return total;
  }
}
