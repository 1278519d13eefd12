package io.ariadne.memory.testing;

import io.ariadne.event.ThreadRecord;
import io.ariadne.event.ThreadRecords;
import io.ariadne.event.Wait;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Waits until another thread has come to a point that a test needs. */
public final class Await {
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Await() {}

  /**
   * Waits until a condition holds.
   *
   * @throws AssertionError when it does not within a minute, with all registered waits
   */
  public static void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LONGEST_NANOS) {
        throw new AssertionError("the condition never held; waits: " + ThreadRecords.waits());
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Waits until so many threads are in registered waits of some kind. */
  public static void untilWaiting(int threads, Predicate<Wait> kind) {
    until(() -> ThreadRecords.waits().stream().filter(kind).count() >= threads);
  }

  /** Waits until a thread is parked, with a timeout, in a registered wait of some kind. */
  public static void untilPaused(Predicate<Wait> kind) {
    until(() -> ThreadRecords.all().stream().anyMatch(record -> isPaused(record, kind)));
  }

  private static boolean isPaused(ThreadRecord record, Predicate<Wait> kind) {
    Wait wait = record.currentWait();
    return wait != null
        && kind.test(wait)
        && record.thread().getState() == Thread.State.TIMED_WAITING;
  }
}
