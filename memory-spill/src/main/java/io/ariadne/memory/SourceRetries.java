package io.ariadne.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.event.WorkPermit;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One request that the source of a pool's memory has refused although the limit had room for it: it
 * is made again after memory that is kept for nobody was given back, after batches have left, then
 * after pauses that become longer. Used by one thread, which holds no lock that freeing memory
 * needs; another may end its pause.
 *
 * <p>A thread that may not wait, because it puts memory away for others or is waited for without a
 * thread, makes the request again without pauses.
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

  /** Why batches could not leave, the last time; null when they could, or none was asked for. */
  private EngineException unmoved;

  /** Why the pauses end; guarded by the monitor, null while they do not. */
  @GuardedBy("this")
  private String broken;

  /**
   * Creates the retries of a request that was just refused.
   *
   * @param source who has refused it
   * @param pool whose request it is
   * @param bytes what was asked for
   * @param movesBatches as of {@link PoolSource#allocate}
   */
  SourceRetries(PoolSource source, MemoryPool pool, long bytes, boolean movesBatches) {
    this.source = source;
    this.pool = pool;
    this.bytes = bytes;
    this.movesBatches = movesBatches;
  }

  /**
   * Makes the request again.
   *
   * @param most how long, pauses included; 0 for no pauses
   * @return the address
   * @throws EngineException OUT_OF_MEMORY with how often and how long it was tried
   */
  long allocate(Duration most) {
    mostNanos = most.toNanos();
    root().reclaim(bytes);
    long address = request();
    if (address == 0 && movesBatches) {
      address = requestWithRoom();
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

  /** Returns the pool whose source it is, which knows who keeps memory of all pools below. */
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

  /** Requests again after batches have left, if some can. */
  private long requestWithRoom() {
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
        address = movesBatches ? requestWithRoom() : request();
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

  /** Pauses while others may work instead: it may be their work that frees memory. */
  private boolean pauseWithoutPermit(long nanos) {
    WorkPermit permit = ThreadRecord.current().permit();
    permit.giveBack();
    try {
      return pause(nanos);
    } finally {
      permit.takeAgain();
    }
  }

  /** Returns whether there was time for the pause, or for a part of it, and nobody has ended it. */
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
