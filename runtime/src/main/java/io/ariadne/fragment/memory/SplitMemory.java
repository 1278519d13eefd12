package io.ariadne.fragment.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Limits the memory that the started splits of all fragments of a process hold, by their own
 * estimates. Thread-safe.
 *
 * <p>Every pipeline may always start one split; further ones start only within the limit. So a
 * single fragment uses all threads, while many fragments do not hold splits for (threads x
 * threads).
 */
public final class SplitMemory {
  private final long limitInBytes;

  @GuardedBy("this")
  private long heldBytes;

  /**
   * Creates the account of a process.
   *
   * @param limitInBytes limit for splits that are not the only one of their pipeline
   */
  public SplitMemory(long limitInBytes) {
    this.limitInBytes = limitInBytes;
  }

  /**
   * Acquires the memory of a split unless it exceeds the limit.
   *
   * @param bytes memory that the split holds
   * @param isOnly whether its pipeline has no other split: then it may start in any case
   * @return whether it may start; if so, {@link #release} must follow
   */
  public synchronized boolean tryAcquire(long bytes, boolean isOnly) {
    if (!isOnly && bytes > limitInBytes - heldBytes) {
      return false;
    }
    heldBytes += bytes;
    return true;
  }

  /** Releases what was acquired. */
  public synchronized void release(long bytes) {
    heldBytes -= bytes;
  }

  /** Returns the acquired bytes. */
  public synchronized long heldBytes() {
    return heldBytes;
  }
}
