package io.ariadne.metrics;

import io.ariadne.event.MemoryUse;
import java.util.concurrent.atomic.LongAdder;

/**
 * Metrics of a whole fragment. Any thread adds to them, the task thread reads them. A read while
 * the fragment runs returns a recent value.
 */
public final class FragmentMetrics {
  private final MemoryUse memory = new MemoryUse(null);
  private final LongAdder spilledBytes = new LongAdder();
  private final LongAdder diskBytes = new LongAdder();

  /** Returns the pools' memory that the fragment holds; its nodes hold parts of it. */
  public MemoryUse memory() {
    return memory;
  }

  /**
   * Counts batches of the fragment that were spilled to disk.
   *
   * @param memoryBytes bytes of memory freed
   * @param storedBytes bytes on disk
   */
  public void addSpilled(long memoryBytes, long storedBytes) {
    spilledBytes.add(memoryBytes);
    diskBytes.add(storedBytes);
  }

  /** Returns the most bytes of all memory tiers that the fragment held at one time. */
  public long peakBytes() {
    return memory.peakBytes();
  }

  /** Returns the bytes of memory freed by spilling to disk. */
  public long spilledBytes() {
    return spilledBytes.sum();
  }

  /** Returns the bytes that spilled batches took on disk, packed and compressed. */
  public long diskBytes() {
    return diskBytes.sum();
  }
}
