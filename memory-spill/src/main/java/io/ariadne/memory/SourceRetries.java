package io.ariadne.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Repeats a request that the source of a pool's memory has refused although the limit allows it:
 * after reclaimers have given back idle memory, after batches have been moved out, then after
 * pauses that become longer. Used by one thread, which holds no lock that freeing memory needs;
 * another thread may end its pause.
 *
 * <p>A thread that may not wait, because it revokes memory or moves batches for other threads,
 * repeats the request without pauses.
 */
final class SourceRetries {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final PoolSource source;
  private final MemoryPool pool;
  private final long bytes;
  private final boolean movesBatches;
  private final long startNanos = System.nanoTime();
  private long mostNanos;
  private int requests = 1;

  /** Why no batch could be moved at the latest attempt; null when one could, or before it. */
  private EngineException unmoved;

  /** Why the pauses end; null while more pauses may follow. */
  @GuardedBy("this")
  private String broken;

  /**
   * Creates the retries of a request that was just refused.
   *
   * @param source the source that has refused it
   * @param pool the pool that is charged
   * @param bytes requested bytes
   * @param movesBatches as of {@link PoolSource#allocate}
   */
  SourceRetries(PoolSource source, MemoryPool pool, long bytes, boolean movesBatches) {
    this.source = source;
    this.pool = pool;
    this.bytes = bytes;
    this.movesBatches = movesBatches;
  }

  /**
   * Repeats the request.
   *
   * @param most longest time, pauses included; 0 for no pauses
   * @return the address
   * @throws EngineException OUT_OF_MEMORY with the number of attempts and their time
   */
  long allocate(Duration most) {
    mostNanos = most.toNanos();
    root().reclaim(bytes);
    long address = request();
    if (address == 0 && movesBatches) {
      address = requestAfterEviction();
    }
    boolean mayPause = ThreadRecord.current().mayWait() && !ThreadUse.current().putsAway();
    if (address == 0 && mayPause && mostNanos > 0) {
      address = requestWithPauses();
    }
    if (address == 0) {
      throw refusal();
    }
    return address;
  }

  /** Returns the root pool, which knows the reclaimers of all pools below. */
  private MemoryPool root() {
    MemoryPool root = pool;
    while (root.parent() != null) {
      root = root.parent();
    }
    return root;
  }

  private long request() {
    requests++;
    return source.request(bytes);
  }

  /** Requests again after batches have been moved out, if possible. */
  private long requestAfterEviction() {
    unmoved = null;
    try {
      pool.moveOut(bytes);
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      unmoved = e;
    }
    return request();
  }

  private long requestWithPauses() {
    String what = bytes + " bytes that pool " + pool.name() + " was refused by its source";
    Wait wait = ThreadRecord.current().await(WaitKind.MEMORY, what, bytes, this::breakOff);
    try {
      long address = 0;
      long nanos = FIRST_PAUSE_NANOS;
      while (address == 0 && pauseWithoutPermit(nanos)) {
        root().reclaim(bytes);
        address = movesBatches ? requestAfterEviction() : request();
        nanos = Math.min(2 * nanos, LONGEST_PAUSE_NANOS);
      }
      return address;
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

  private synchronized EngineException refusal() {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    return new EngineException(
        ErrorCode.OUT_OF_MEMORY,
        "no "
            + pool.tier()
            + " memory left for "
            + bytes
            + " bytes within the limit, which is set too high for this machine; asked "
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
}
