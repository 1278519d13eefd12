package io.ariadne.executor;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A point in time by which several conditions must hold, one after the other. */
final class Deadline {
  private static final long POLL_MILLIS = 1;

  private final long endNanos;

  /** Creates a deadline a number of milliseconds from now. */
  Deadline(long millis) {
    endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /**
   * Waits until a condition holds or the time is over; an interrupt does not end the wait. Polls,
   * so it suits rare events.
   *
   * @return whether the condition holds
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
