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
 * The right to do something that one thread does at a time, about in the order in which they come.
 * Who does it may hang, as on a disk that does not answer: then those who wait are refused after a
 * while, and whose work is no longer wanted is at once. Thread-safe, reentrant.
 */
final class Turns {
  /** How often who waits looks whether it is still worth while. */
  private static final long LOOK_MILLIS = 50;

  private final ReentrantLock lock = new ReentrantLock(true);
  private final String what;
  private final Duration longest;
  private volatile Turn turn;

  /** Who does it, and since when. */
  private record Turn(ThreadRecord thread, long startNanos) {
    long nanos() {
      return System.nanoTime() - startNanos;
    }

    /** Describes what holds it up, which names the file or disk that it waits for. */
    String describe() {
      Wait wait = thread.currentWait();
      return wait == null ? thread.threadName() + " is at it" : wait.toString();
    }
  }

  /**
   * Creates them.
   *
   * @param what is done, for messages
   * @param longest how long a turn lasts at most when nothing hangs
   */
  Turns(String what, Duration longest) {
    this.what = what;
    this.longest = longest;
  }

  /**
   * Begins a turn; waits while others have theirs. Interrupts stay pending: a turn takes as long as
   * a write.
   *
   * @throws EngineException OUT_OF_MEMORY when another's turn lasts too long, with what holds it
   *     up, or when the wait is ended by somebody
   */
  void begin() {
    if (lock.hasQueuedThreads() || !lock.tryLock()) {
      awaitTurn();
    }
    turn = new Turn(ThreadRecord.current(), System.nanoTime());
  }

  /** Ends the calling thread's turn. */
  void end() {
    turn = null;
    lock.unlock();
  }

  private void awaitTurn() {
    AtomicReference<String> broken = new AtomicReference<>();
    boolean interrupted = false;
    Wait wait = ThreadRecord.current().await(WaitKind.MOVE, "the turn to " + what, 0, broken::set);
    try {
      boolean isMine = false;
      while (!isMine) {
        try {
          isMine = lock.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
        if (!isMine) {
          checkWorthWhile(broken.get());
        }
      }
    } finally {
      wait.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void checkWorthWhile(String broken) {
    if (broken != null) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY, "the wait for the turn to " + what + " was ended: " + broken);
    }
    Turn others = turn;
    if (others != null && lock.isLocked() && others.nanos() > longest.toNanos()) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY,
          "cannot "
              + what
              + ": another thread has been doing that for "
              + TimeUnit.NANOSECONDS.toSeconds(others.nanos())
              + " s; "
              + others.describe());
    }
  }
}
