package io.ariadne.fragment.memory;

/**
 * What the started splits of all fragments of a process may hold together, by what they say of
 * themselves. Thread-safe.
 *
 * <p>Every pipeline may always have one split; a further one is started within the limit only. So
 * one fragment alone uses all threads, and many at once do not hold threads times threads splits.
 */
public final class SplitMemory {
  private final long limitInBytes;
  private long heldBytes;

  /**
   * Creates the account of a process.
   *
   * @param limitInBytes what splits may hold that are not their pipeline's only one
   */
  public SplitMemory(long limitInBytes) {
    this.limitInBytes = limitInBytes;
  }

  /**
   * Takes what a split holds, unless that is too much.
   *
   * @param bytes what it holds
   * @param isOnly whether its pipeline has no other: it may then start in any case
   * @return whether it may start; {@link #give} follows then
   */
  public synchronized boolean take(long bytes, boolean isOnly) {
    if (!isOnly && bytes > limitInBytes - heldBytes) {
      return false;
    }
    heldBytes += bytes;
    return true;
  }

  /** Gives back what was taken. */
  public synchronized void give(long bytes) {
    heldBytes -= bytes;
  }

  /** Returns what is taken. */
  public synchronized long heldBytes() {
    return heldBytes;
  }
}
