package io.ariadne.fragment.control;

import java.util.concurrent.TimeUnit;

/** Which thread pumps a fragment, what it does, and since when. Written under its lock. */
final class TaskThread {
  /** For how long the task may be away before what waits for it counts as left alone. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private volatile Thread thread;
  private volatile String activity = "";
  private volatile long activityNanos = System.nanoTime();

  /** Notes that the calling thread pumps from now on. */
  void enter() {
    if (thread != null) {
      throw new IllegalStateException("the fragment is already pumped by " + thread.getName());
    }
    thread = Thread.currentThread();
  }

  /** Notes what the pumping thread does from now on; by that thread, without the lock. */
  void does(String what) {
    activity = what;
    activityNanos = System.nanoTime();
  }

  /** Notes that no thread pumps any more. */
  void exit() {
    thread = null;
    activityNanos = System.nanoTime();
  }

  /** Returns whether a thread pumps. */
  boolean isInside() {
    return thread != null;
  }

  /** Returns whether the calling thread pumps. */
  boolean isCurrentThread() {
    return thread == Thread.currentThread();
  }

  /** Returns whether a thread pumps or did a moment ago; without the lock. */
  boolean isNear() {
    return thread != null || System.nanoTime() - activityNanos < PATIENCE_NANOS;
  }

  @Override
  public String toString() {
    Thread current = thread;
    if (current == null) {
      return "nobody pumps";
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - activityNanos);
    return current.getName() + " pumps and " + activity + " for " + millis + " ms";
  }
}
