package io.ariadne.fragment.control;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The lock of a fragment, and how threads wait until something under it has changed. All but {@link
 * #lock()} is called under the lock unless it says otherwise.
 */
final class FragmentMonitor {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long version;

  /** Threads that wait for the fragment to get on. */
  private int awaited;

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Tells whoever waits that something has changed. */
  void signal() {
    version++;
    changed.signalAll();
  }

  /** Returns a number that every {@link #signal} changes. */
  long version() {
    return version;
  }

  /** Returns whether threads wait for the fragment to get on. */
  boolean isAwaited() {
    return awaited > 0;
  }

  /** Counts a thread that waits for the fragment by working for it; -1 when it does no more. */
  void addAwaiting(int threads) {
    awaited += threads;
  }

  /**
   * Waits until something changes or the time is over.
   *
   * @param seen the {@link #version} of which the caller knows
   * @param nanos how long to wait at most
   * @param goesOn asked now and then whether to wait on
   */
  void awaitChange(long seen, long nanos, BooleanSupplier goesOn) throws InterruptedException {
    long start = System.nanoTime();
    awaited++;
    try {
      for (long left = nanos; version == seen && left > 0 && goesOn.getAsBoolean(); ) {
        changed.awaitNanos(Math.min(left, POLL_NANOS));
        left = nanos - (System.nanoTime() - start);
      }
    } finally {
      awaited--;
    }
  }

  /**
   * Waits for a time, whatever changes.
   *
   * @param goesOn asked after each change whether to wait on
   */
  void awaitNanos(long nanos, BooleanSupplier goesOn) throws InterruptedException {
    long left = nanos;
    while (left > 0 && goesOn.getAsBoolean()) {
      left = changed.awaitNanos(left);
    }
  }

  /** Waits for work to end until a condition holds that every signal may change. */
  void awaitEnd(BooleanSupplier condition) {
    awaited++;
    try {
      awaitUntil(condition);
    } finally {
      awaited--;
    }
  }

  /** Waits until a condition holds that every signal may change; an interrupt ends no wait. */
  void awaitUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      changed.awaitUninterruptibly();
    }
  }
}
