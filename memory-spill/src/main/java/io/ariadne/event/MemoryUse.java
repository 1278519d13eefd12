package io.ariadne.event;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of pools that a piece of work holds, of all memory tiers together, and the most that it
 * has held at once: of a plan node, or of all of a fragment. A buffer counts for the work whose
 * thread asked for it, until it is freed, by any thread, or leaves the work. What is on disk counts
 * for no work. Thread-safe.
 */
public final class MemoryUse {
  private final MemoryUse whole;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicLong peakBytes = new AtomicLong();

  /**
   * Creates a use of nothing.
   *
   * @param whole what it is a part of, where its bytes count as well; or null
   */
  public MemoryUse(MemoryUse whole) {
    this.whole = whole;
  }

  /** Counts bytes taken, or given back when negative. */
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

  /** Returns the most bytes held at once so far; parts reach theirs at different times. */
  public long peakBytes() {
    return peakBytes.get();
  }
}
