package io.ariadne.metrics;

import io.ariadne.event.MemoryUse;
import java.util.concurrent.atomic.LongAdder;

/**
 * Figures of a fragment as a whole, added to by any thread and read by the task thread. Reading
 * while the fragment runs gives a value of the recent past.
 */
public final class FragmentMetrics {
  private final MemoryUse memory = new MemoryUse(null);
  private final LongAdder spilledBytes = new LongAdder();
  private final LongAdder diskBytes = new LongAdder();

  /** Returns what the fragment holds of the pools' memory; its nodes hold parts of that. */
  public MemoryUse memory() {
    return memory;
  }

  /**
   * Counts batches of the fragment that have left memory for a disk.
   *
   * @param memoryBytes bytes of memory that are free now
   * @param storedBytes bytes on the disk
   */
  public void addSpilled(long memoryBytes, long storedBytes) {
    spilledBytes.add(memoryBytes);
    diskBytes.add(storedBytes);
  }

  /** Returns the most bytes of the pools, of all memory tiers, that the fragment held at once. */
  public long peakBytes() {
    return memory.peakBytes();
  }

  /** Returns bytes of memory that batches of the fragment have left for a disk. */
  public long spilledBytes() {
    return spilledBytes.sum();
  }

  /** Returns bytes that these batches took on the disk, as packed and compressed there. */
  public long diskBytes() {
    return diskBytes.sum();
  }
}
