package io.ariadne.event;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Logs failed rounds of a thread that lives as long as the process and continues after failures.
 * Logs the first failure at once and later ones once a minute at most, until a round succeeds.
 * Never throws, even when logging fails because the heap is full: then the next failure is logged.
 * Thread-safe.
 */
public final class RoundFailures {
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger log;
  private final String what;

  @GuardedBy("this")
  private long count;

  @GuardedBy("this")
  private long untold;

  @GuardedBy("this")
  private boolean isTold;

  @GuardedBy("this")
  private long toldNanos;

  /**
   * Creates the counter of a thread, or of several threads that do the same.
   *
   * @param log takes the warnings
   * @param what describes what failed, the beginning of a sentence
   */
  public RoundFailures(Logger log, String what) {
    this.log = log;
    this.what = what;
  }

  /** Counts a failed round, and logs it unless another one was logged lately. */
  public synchronized void failed(Throwable failure) {
    count++;
    untold++;
    long now = System.nanoTime();
    if (isTold && now - toldNanos < QUIET_NANOS) {
      return;
    }
    try {
      log.warn("{} (failures since this was last said: {})", what, untold, failure);
      isTold = true;
      toldNanos = now;
      untold = 0;
    } catch (RuntimeException | Error e) {
      // Logging takes memory, too. The thread must continue in any case.
      isTold = false;
    }
  }

  /** Notes that a round has succeeded, so that the next failure is logged. */
  public synchronized void succeeded() {
    isTold = false;
  }

  /** Returns the number of failures so far. */
  public synchronized long count() {
    return count;
  }
}
