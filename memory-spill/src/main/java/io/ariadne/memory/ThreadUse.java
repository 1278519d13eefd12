package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.MemoryUse;
import io.ariadne.event.ThreadRecord;

/**
 * Tracks what the calling thread takes from pools while it does a piece of work: the net bytes by
 * tier, their peak, the reservation that its allocations spend first, whether they may charge the
 * reserves of pools, and whether they count for the work. Used only by its own thread.
 *
 * <p>Memory that one thread allocates and another frees is counted by each for its part.
 */
public final class ThreadUse {
  private static final ThreadLocal<ThreadUse> CURRENT = ThreadLocal.withInitial(ThreadUse::new);

  private final long[] netBytes = new long[MemoryTier.values().length];
  private final long[] peakBytes = new long[MemoryTier.values().length];
  private Reservation reservation;
  private boolean putsAway;
  private boolean isForProcess;
  private Repetition<?> repetition;

  private ThreadUse() {}

  /** Returns the calling thread's instance. */
  public static ThreadUse current() {
    return CURRENT.get();
  }

  /**
   * Begins a piece of work: resets the counters.
   *
   * @param spent reservation that allocations from its pool spend as long as they fit; null for
   *     none. The caller keeps ownership, and calls {@link #end} before it closes the reservation.
   */
  public void begin(Reservation spent) {
    for (int i = 0; i < netBytes.length; i++) {
      netBytes[i] = 0;
      peakBytes[i] = 0;
    }
    reservation = spent;
  }

  /** Ends the piece of work: allocations no longer spend its reservation. */
  public void end() {
    reservation = null;
  }

  /**
   * Returns bytes of a tier allocated and not freed since the beginning; negative if more was
   * freed.
   */
  public long netBytes(MemoryTier tier) {
    return netBytes[tier.ordinal()];
  }

  /** Returns the most that {@link #netBytes} has been since the beginning, at least 0. */
  public long peakBytes(MemoryTier tier) {
    return peakBytes[tier.ordinal()];
  }

  /**
   * Sets whether the thread revokes memory for other threads: it may then charge the reserves of
   * pools, and does not wait for other threads.
   *
   * @return the value before, which the caller restores
   */
  public boolean putAway(boolean now) {
    boolean before = putsAway;
    putsAway = now;
    return before;
  }

  /** Returns whether the thread revokes memory for other threads. */
  public boolean putsAway() {
    return putsAway;
  }

  /**
   * Sets whether further buffers that the thread allocates count for the process instead of the
   * thread's work: buffers that the process keeps, and copies of batches of other work.
   *
   * @return the value before, which the caller restores
   */
  public boolean forProcess(boolean now) {
    boolean before = isForProcess;
    isForProcess = now;
    return before;
  }

  /**
   * Sets what the thread's requests are repeated with when their source refuses them; null for
   * requests that are repeated by themselves.
   *
   * @return the value before, which the caller restores
   */
  Repetition<?> repetition(Repetition<?> now) {
    Repetition<?> before = repetition;
    repetition = now;
    return before;
  }

  /** Returns what requests to a source are repeated with; null for those that are not. */
  Repetition<?> repetition(PoolSource source) {
    return repetition != null && repetition.isOf(source) ? repetition : null;
  }

  /** Returns what the thread's buffers count for, or null for the process. */
  MemoryUse holder() {
    return isForProcess ? null : ThreadRecord.memoryUse();
  }

  /** Returns the reservation that allocations spend first, or null. */
  Reservation reservation() {
    return reservation;
  }

  /** Counts bytes allocated, or freed when negative. */
  void took(MemoryTier tier, long bytes) {
    int index = tier.ordinal();
    netBytes[index] += bytes;
    peakBytes[index] = Math.max(peakBytes[index], netBytes[index]);
  }
}
