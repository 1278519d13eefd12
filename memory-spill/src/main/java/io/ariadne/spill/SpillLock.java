package io.ariadne.spill;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A fair, reentrant lock under which one thread at a time moves batches. The holder may hang, for
 * example on a disk that does not answer: a thread that waits fails with OUT_OF_MEMORY once the
 * holder has taken too long, and at once when its own work is stopped. Thread-safe.
 */
final class SpillLock {
  /** How often a waiting thread checks whether it should give up. */
  private static final long CHECK_MILLIS = 50;

  private final ReentrantLock lock = new ReentrantLock(true);
  private final String action;
  private final Duration longestHold;
  private volatile Hold hold;

  /** The thread that holds the lock, and since when. */
  private record Hold(ThreadRecord thread, long startNanos) {
    long nanos() {
      return System.nanoTime() - startNanos;
    }

    /** Returns what delays the holder, including the file or disk that it waits for. */
    String describe() {
      Wait wait = thread.currentWait();
      return wait == null ? thread.threadName() + " holds the lock" : wait.toString();
    }
  }

  /**
   * Creates a lock that no thread holds.
   *
   * @param action what a thread does under the lock, for messages
   * @param longestHold how long a thread that does not hang holds the lock at most
   */
  SpillLock(String action, Duration longestHold) {
    this.action = action;
    this.longestHold = longestHold;
  }

  /**
   * Acquires the lock. Interrupts stay pending, since a holder may need the time of a write.
   *
   * @throws EngineException OUT_OF_MEMORY when another thread holds the lock for too long, with
   *     what delays it, or when the wait is ended
   */
  void acquire() {
    if (lock.hasQueuedThreads() || !lock.tryLock()) {
      awaitLock();
    }
    if (lock.getHoldCount() == 1) {
      hold = new Hold(ThreadRecord.current(), System.nanoTime());
    }
  }

  /** Releases the lock, which the calling thread holds. */
  void release() {
    if (lock.getHoldCount() == 1) {
      hold = null;
    }
    lock.unlock();
  }

  private void awaitLock() {
    AtomicReference<String> broken = new AtomicReference<>();
    boolean interrupted = false;
    Wait wait =
        ThreadRecord.current().await(WaitKind.MOVE, "the lock to " + action, 0, broken::set);
    try {
      boolean isMine = false;
      while (!isMine) {
        try {
          isMine = lock.tryLock(CHECK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
        if (!isMine) {
          checkStillUseful(broken.get());
        }
      }
    } finally {
      wait.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void checkStillUseful(String broken) {
    if (broken != null) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY, "the wait for the lock to " + action + " was ended: " + broken);
    }
    Hold other = hold;
    if (other != null && lock.isLocked() && other.nanos() > longestHold.toNanos()) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY,
          "cannot "
              + action
              + ": another thread has been doing that for "
              + TimeUnit.NANOSECONDS.toSeconds(other.nanos())
              + " s; "
              + other.describe());
    }
  }
}
