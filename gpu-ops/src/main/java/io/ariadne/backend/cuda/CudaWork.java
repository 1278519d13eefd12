package io.ariadne.backend.cuda;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the calls queued on a GPU and those known to be done, and remembers the last launch. Its
 * text tells what a waiting thread waits for. Thread-safe.
 */
final class CudaWork {
  private final String device;

  /** Calls that the driver has accepted. */
  private final AtomicLong queued = new AtomicLong();

  /** Calls that are known to be done. */
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

  /** Records a launch that the driver has accepted. */
  void launched(String kernel, long rows) {
    last = new Launch(kernel, rows, System.nanoTime());
  }

  /** Records a call that the driver has accepted; returns its number. */
  long queued() {
    return queued.incrementAndGet();
  }

  /** Returns how many calls were queued. */
  long queuedCalls() {
    return queued.get();
  }

  /**
   * Returns whether so many calls are known to be done. Those are all calls of smaller numbers: a
   * call gets its number after it was queued, so what waits for work that is queued after that
   * waits for all of them.
   */
  boolean isDone(long calls) {
    return done.get() >= calls;
  }

  /** Records that so many calls are done. */
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
