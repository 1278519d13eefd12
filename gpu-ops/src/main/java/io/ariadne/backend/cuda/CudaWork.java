package io.ariadne.backend.cuda;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the queue of a GPU was given, what of it is known to be done, and the kernel that was
 * launched last. Its text is for people who ask what a thread waits for. Thread-safe.
 */
final class CudaWork {
  private final String device;

  /** Counts what was queued; raised after the driver took it. */
  private final AtomicLong queued = new AtomicLong();

  /** How much of it is known to be done. */
  private final AtomicLong done = new AtomicLong();

  private volatile Launch last;

  /**
   * A launch that the driver took.
   *
   * @param kernel its name
   * @param rows what it runs over
   * @param nanos when, by {@link System#nanoTime}
   */
  private record Launch(String kernel, long rows, long nanos) {}

  /**
   * Creates the record of a queue that is empty.
   *
   * @param device what people call the GPU
   */
  CudaWork(String device) {
    this.device = device;
  }

  /** Notes a launch that the driver took. */
  void launched(String kernel, long rows) {
    last = new Launch(kernel, rows, System.nanoTime());
  }

  /** Notes a call that the driver took. */
  void queued() {
    queued.incrementAndGet();
  }

  /** Returns how many calls were queued. */
  long queuedCalls() {
    return queued.get();
  }

  /** Returns whether so many are known to be done. */
  boolean isDone(long calls) {
    return done.get() >= calls;
  }

  /** Notes that so many are done. */
  void done(long calls) {
    done.accumulateAndGet(calls, Math::max);
  }

  /** Describes the last launch, in part of a line. */
  String lastLaunch() {
    Launch launch = last;
    if (launch == null) {
      return "no kernel was launched";
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - launch.nanos());
    return "the kernel launched last is "
        + launch.kernel()
        + " over "
        + launch.rows()
        + " rows, "
        + millis
        + " ms ago";
  }

  @Override
  public String toString() {
    long pending = queued.get() - done.get();
    return device + " with at most " + pending + " queued calls to do; " + lastLaunch();
  }
}
