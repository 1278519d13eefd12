package io.ariadne.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Repeats requests that the source of a pool's memory has refused although the limit allows it:
 * after reclaimers have given back idle memory, after batches have been moved out, then after
 * pauses that become longer. Used by one thread, which holds no lock that freeing memory needs;
 * another thread may end its pause.
 *
 * <p>A thread that may not wait, because it revokes memory or moves batches for other threads,
 * repeats the request without pauses.
 */
final class SourceRetries<T> {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * How often batches are moved out of a source with fragments without a pause, each time twice as
   * many bytes: the memory that becomes free may be in pieces that are too short.
   */
  private static final int EVICTIONS = 6;

  /** At most one of so many equal parts of the pool is moved out at a time. */
  private static final int MOVED_SHARES = 4;

  private final PoolSource source;
  private final MemoryPool pool;
  private final long bytes;
  private final boolean movesBatches;
  private final Supplier<T> attempt;
  private final long startNanos = System.nanoTime();
  private long mostNanos;
  private int requests = 1;

  /** Why no batch could be moved at the latest attempt; null when one could, or before it. */
  private EngineException unmoved;

  /** Why the pauses end; null while more pauses may follow. */
  @GuardedBy("this")
  private String broken;

  /**
   * Creates the retries of requests that were just refused.
   *
   * @param source the source that has refused it
   * @param pool the pool that is charged
   * @param bytes requested bytes
   * @param movesBatches as of {@link PoolSource#allocate}
   * @param attempt makes the requests again; returns null when the source refuses
   */
  SourceRetries(
      PoolSource source, MemoryPool pool, long bytes, boolean movesBatches, Supplier<T> attempt) {
    this.source = source;
    this.pool = pool;
    this.bytes = bytes;
    this.movesBatches = movesBatches;
    this.attempt = attempt;
  }

  /**
   * Repeats the requests.
   *
   * @param most longest time, pauses included; 0 for no pauses
   * @return what the attempt has returned; null when the source has refused all
   */
  T repeat(Duration most) {
    mostNanos = most.toNanos();
    root().reclaim(bytes);
    T result = request();
    if (result == null && movesBatches) {
      result = requestAfterEvictions();
    }
    boolean mayPause = ThreadRecord.current().mayWait() && !ThreadUse.current().putsAway();
    return result == null && mayPause && mostNanos > 0 ? requestWithPauses() : result;
  }

  /** Returns the root pool, which knows the reclaimers of all pools below. */
  private MemoryPool root() {
    MemoryPool root = pool;
    while (root.parent() != null) {
      root = root.parent();
    }
    return root;
  }

  private T request() {
    requests++;
    return attempt.get();
  }

  /** Moves more out as long as that may make a piece that is long enough. */
  private T requestAfterEvictions() {
    T result = requestAfterEviction(bytes);
    for (int i = 1; i < EVICTIONS && result == null && unmoved == null && isInPieces(); i++) {
      long most = Math.max(bytes, pool.limitInBytes() / MOVED_SHARES);
      result = requestAfterEviction(Math.min(bytes << i, most));
    }
    return result;
  }

  private boolean isInPieces() {
    return !source.fragments(bytes).isEmpty();
  }

  /** Requests again after batches of some bytes have been moved out, if possible. */
  private T requestAfterEviction(long movedBytes) {
    unmoved = null;
    try {
      pool.moveOut(movedBytes);
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      unmoved = e;
    }
    return request();
  }

  private T requestWithPauses() {
    String what = bytes + " bytes that pool " + pool.name() + " was refused by its source";
    Wait wait = ThreadRecord.current().await(WaitKind.MEMORY, what, bytes, this::breakOff);
    try {
      T result = null;
      long nanos = FIRST_PAUSE_NANOS;
      while (result == null && pauseWithoutPermit(nanos)) {
        root().reclaim(bytes);
        result = movesBatches ? requestAfterEviction(bytes) : request();
        nanos = Math.min(2 * nanos, LONGEST_PAUSE_NANOS);
      }
      return result;
    } finally {
      wait.close();
    }
  }

  private synchronized void breakOff(String reason) {
    broken = reason;
    notifyAll();
  }

  /** Pauses without the work permit: the work of other threads may free memory. */
  private boolean pauseWithoutPermit(long nanos) {
    return ThreadRecord.current().withoutPermit(() -> pause(nanos));
  }

  /** Pauses; returns false when the time was over before or the pause was broken off. */
  private synchronized boolean pause(long nanos) {
    long now = System.nanoTime();
    long left = mostNanos - (now - startNanos);
    if (left <= 0) {
      return false;
    }
    long end = now + Math.min(nanos, left);
    try {
      for (; broken == null && now < end; now = System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, end - now);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      broken = "the thread was interrupted";
    }
    return broken == null;
  }

  /** Returns OUT_OF_MEMORY with the number of attempts and their time. */
  synchronized EngineException refusal() {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    return new EngineException(
        ErrorCode.OUT_OF_MEMORY,
        "no "
            + pool.tier()
            + " memory left for "
            + bytes
            + " bytes within the limit"
            + reason()
            + "; asked "
            + requests
            + " times in "
            + millis
            + " ms"
            + (broken == null ? "" : ", which ended because " + broken)
            + (unmoved == null ? "" : "; " + unmoved.getMessage())
            + "; "
            + pool.state(),
        unmoved);
  }

  private String reason() {
    String fragments = source.fragments(bytes);
    return fragments.isEmpty()
        ? ", which is set too high for this machine"
        : ", which its arena has only in pieces: " + fragments;
  }
}
