package io.ariadne.io.gds;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.util.concurrent.TimeUnit;

/** Counts the reads that use something, so that it does not end before them. Thread-safe. */
final class UseCount {
  @GuardedBy("this")
  private int uses;

  @GuardedBy("this")
  private boolean ended;

  /** Begins a use; returns false after the end. */
  synchronized boolean begin() {
    if (!ended) {
      uses++;
    }
    return !ended;
  }

  /** Ends a use. */
  synchronized void end() {
    uses--;
    notifyAll();
  }

  /**
   * Admits no more uses and waits for those that have begun.
   *
   * @param what the thing, for messages
   * @param millis how long to wait at most
   * @return whether there are no uses left, also for later calls
   */
  boolean endAll(Object what, long millis) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    Wait wait =
        ThreadRecord.current().await(WaitKind.DISK, "the end of reads into " + what, 0, null);
    try {
      synchronized (this) {
        ended = true;
        long left = deadline - System.nanoTime();
        while (uses > 0 && left > 0) {
          try {
            TimeUnit.NANOSECONDS.timedWait(this, left);
          } catch (InterruptedException e) {
            interrupted = true;
          }
          left = deadline - System.nanoTime();
        }
        return uses == 0;
      }
    } finally {
      wait.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
