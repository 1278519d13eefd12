package io.ariadne.event;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * What threads that live as long as the process say of rounds of theirs that have failed and after
 * which they go on: the first at once, those after it once a minute at most, until a round
 * succeeds. Never throws, also where the heap is full and nothing can be said: then the next
 * failure is told. Thread-safe.
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
   * Creates the failures of a thread, or of several that do the same.
   *
   * @param log takes the warnings
   * @param what says what has failed, the beginning of a sentence
   */
  public RoundFailures(Logger log, String what) {
    this.log = log;
    this.what = what;
  }

  /** Notes that a round has failed, and tells that unless another one was told lately. */
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
      // Telling takes memory, too. What counts is that the thread goes on.
      isTold = false;
    }
  }

  /** Notes that a round has succeeded: the next failure is news. */
  public synchronized void succeeded() {
    isTold = false;
  }

  /** Returns failures so far. */
  public synchronized long count() {
    return count;
  }
}
