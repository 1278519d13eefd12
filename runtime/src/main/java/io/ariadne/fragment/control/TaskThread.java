package io.ariadne.fragment.control;

import java.util.concurrent.TimeUnit;

/**
 * The thread that is inside a fragment's {@code next()}, what it does, and since when. Written
 * under the fragment's lock.
 */
final class TaskThread {
  /**
   * For how long the task thread may be outside {@code next()} before the fragment counts as
   * inactive.
   */
  private static final long INACTIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private volatile Thread thread;
  private volatile String activity = "";
  private volatile long activityNanos = System.nanoTime();

  /** Notes that the calling thread enters {@code next()}. */
  void enter() {
    if (thread != null) {
      throw new IllegalStateException(
          thread.getName() + " is already inside next() of the fragment");
    }
    thread = Thread.currentThread();
  }

  /** Notes what the task thread begins to do; called by that thread, without the lock. */
  void setActivity(String activity) {
    this.activity = activity;
    activityNanos = System.nanoTime();
  }

  /** Notes that the task thread leaves {@code next()}. */
  void exit() {
    thread = null;
    activityNanos = System.nanoTime();
  }

  /** Returns whether a thread is inside {@code next()}. */
  boolean isInside() {
    return thread != null;
  }

  /** Returns whether the calling thread is inside {@code next()}. */
  boolean isCurrentThread() {
    return thread == Thread.currentThread();
  }

  /** Returns whether a thread is inside {@code next()} or was a moment ago; needs no lock. */
  boolean isRecentlyInside() {
    return thread != null || System.nanoTime() - activityNanos < INACTIVE_NANOS;
  }

  @Override
  public String toString() {
    Thread current = thread;
    if (current == null) {
      return "the task thread is outside next()";
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - activityNanos);
    return current.getName() + " " + activity + " for " + millis + " ms";
  }
}
