package io.ariadne.fragment.control;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The lock of a fragment, and waits for changes of the state that it guards. All methods except
 * {@link #lock()} are called under the lock unless they say otherwise.
 */
final class FragmentMonitor {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long version;

  /** Threads that wait for the fragment to make progress. */
  private int waiters;

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Wakes all waiting threads because something has changed. */
  void signal() {
    version++;
    changed.signalAll();
  }

  /** Returns a number that every {@link #signal} changes. */
  long version() {
    return version;
  }

  /** Returns whether threads wait for the fragment to make progress. */
  boolean isAwaited() {
    return waiters > 0;
  }

  /**
   * Counts a task thread that runs a work item as waiting for the fragment.
   *
   * @param threads 1 when it starts, -1 when it ends
   */
  void addWaiters(int threads) {
    waiters += threads;
  }

  /**
   * Waits until something changes or the time is over.
   *
   * @param seen the {@link #version} that the caller knows
   * @param nanos how long to wait at most
   * @param shouldWait polled: the wait ends when it returns false
   */
  void awaitChange(long seen, long nanos, BooleanSupplier shouldWait) throws InterruptedException {
    long start = System.nanoTime();
    waiters++;
    try {
      for (long left = nanos; version == seen && left > 0 && shouldWait.getAsBoolean(); ) {
        changed.awaitNanos(Math.min(left, POLL_NANOS));
        left = nanos - (System.nanoTime() - start);
      }
    } finally {
      waiters--;
    }
  }

  /**
   * Waits for a time, regardless of changes.
   *
   * @param shouldWait called after each change: the wait ends when it returns false
   */
  void awaitNanos(long nanos, BooleanSupplier shouldWait) throws InterruptedException {
    long left = nanos;
    while (left > 0 && shouldWait.getAsBoolean()) {
      left = changed.awaitNanos(left);
    }
  }

  /** Waits for a condition that changes with a signal, and counts as waiting for progress. */
  void awaitEnd(BooleanSupplier condition) {
    waiters++;
    try {
      awaitUntil(condition);
    } finally {
      waiters--;
    }
  }

  /** Waits for a condition that changes with a signal; an interrupt does not end the wait. */
  void awaitUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      changed.awaitUninterruptibly();
    }
  }
}
