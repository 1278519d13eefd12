package io.ariadne.executor;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A time by which several things one after the other are to have happened. */
final class Deadline {
  private static final long POLL_MILLIS = 1;

  private final long endNanos;

  /** Creates a deadline this many milliseconds from now. */
  Deadline(long millis) {
    endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /**
   * Waits until something has happened or the time is over, interrupts notwithstanding; for what
   * happens rarely, because it asks again and again.
   *
   * @return whether it has happened
   */
  boolean await(BooleanSupplier happened) {
    boolean interrupted = false;
    boolean done = happened.getAsBoolean();
    while (!done && System.nanoTime() - endNanos < 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      done = happened.getAsBoolean();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return done;
  }
}
