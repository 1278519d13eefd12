package io.ariadne.event;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the pool bytes that a piece of work holds, a plan node or a whole fragment, in all memory
 * tiers together, and their peak. A buffer counts for the work whose thread allocated it, until any
 * thread frees it or it leaves the work. Bytes on disk count for no work. Thread-safe.
 */
public final class MemoryUse {
  private final MemoryUse whole;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicLong peakBytes = new AtomicLong();

  /**
   * Creates a counter at 0.
   *
   * @param whole the counter of the surrounding work, where the bytes count as well; or null
   */
  public MemoryUse(MemoryUse whole) {
    this.whole = whole;
  }

  /** Counts bytes allocated, or freed when negative. */
  public void add(long bytes) {
    for (MemoryUse use = this; use != null; use = use.whole) {
      long held = use.heldBytes.addAndGet(bytes);
      if (held > use.peakBytes.get()) {
        use.peakBytes.accumulateAndGet(held, Math::max);
      }
    }
  }

  /** Returns bytes held now. */
  public long heldBytes() {
    return heldBytes.get();
  }

  /** Returns the most bytes held at once so far; parts reach their peaks at different times. */
  public long peakBytes() {
    return peakBytes.get();
  }
}
