package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.MemoryUse;
import io.ariadne.event.ThreadRecord;

/**
 * What the calling thread takes from pools while it does a piece of work: the net bytes by tier,
 * their peak, the reservation that its allocations spend first, whether they may use what pools
 * keep for putting memory away, and whether they count for the work. Used by its thread alone.
 *
 * <p>What another thread frees that this one took, or the other way round, does not count here.
 */
public final class ThreadUse {
  private static final ThreadLocal<ThreadUse> CURRENT = ThreadLocal.withInitial(ThreadUse::new);

  private final long[] netBytes = new long[MemoryTier.values().length];
  private final long[] peakBytes = new long[MemoryTier.values().length];
  private Reservation reservation;
  private boolean putsAway;
  private boolean isForProcess;

  private ThreadUse() {}

  /** Returns the calling thread's. */
  public static ThreadUse current() {
    return CURRENT.get();
  }

  /**
   * Begins a piece of work: nothing is taken yet.
   *
   * @param spent what allocations from its pool spend as long as they fit; null for none. Stays the
   *     caller's, which calls {@link #end} before it closes that.
   */
  public void begin(Reservation spent) {
    for (int i = 0; i < netBytes.length; i++) {
      netBytes[i] = 0;
      peakBytes[i] = 0;
    }
    reservation = spent;
  }

  /** Ends the piece of work: its reservation is not spent any more. */
  public void end() {
    reservation = null;
  }

  /**
   * Returns bytes of a tier taken and not freed since the beginning; negative if more was freed.
   */
  public long netBytes(MemoryTier tier) {
    return netBytes[tier.ordinal()];
  }

  /** Returns the most that {@link #netBytes} has been since the beginning, at least 0. */
  public long peakBytes(MemoryTier tier) {
    return peakBytes[tier.ordinal()];
  }

  /**
   * Says whether the thread puts memory away for others from now on: it may then use what pools
   * keep for that, and waits for nobody.
   *
   * @return whether it did before, to be restored
   */
  public boolean putAway(boolean now) {
    boolean before = putsAway;
    putsAway = now;
    return before;
  }

  /** Returns whether the thread puts memory away for others. */
  public boolean putsAway() {
    return putsAway;
  }

  /**
   * Says whether the buffers that the thread asks for from now on are held by no piece of work:
   * those that the process keeps, and copies of others' batches.
   *
   * @return whether they were before, to be restored
   */
  public boolean forProcess(boolean now) {
    boolean before = isForProcess;
    isForProcess = now;
    return before;
  }

  /** Returns what buffers count for that the thread asks for, or null for nobody. */
  MemoryUse holder() {
    return isForProcess ? null : ThreadRecord.memoryUse();
  }

  /** Returns what is spent first in a pool, or null. */
  Reservation reservation() {
    return reservation;
  }

  /** Counts bytes taken, or freed when negative. */
  void took(MemoryTier tier, long bytes) {
    int index = tier.ordinal();
    netBytes[index] += bytes;
    peakBytes[index] = Math.max(peakBytes[index], netBytes[index]);
  }
}
