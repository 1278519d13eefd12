package io.ariadne.io.s3;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of the process that wait for answers of stores, and the one that watches the clock.
 * They start when needed, end after some idle seconds, and are daemons. {@link RequestGate} limits
 * how many there are. S3A's client blocks its caller, so each running request takes one thread.
 */
final class RequestThreads {
  private static final long IDLE_SECONDS = 10;
  private static final ThreadPoolExecutor REQUESTS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          named("ariadne-s3-request-"));
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private RequestThreads() {}

  private static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(1, named("ariadne-s3-clock-"));
    clock.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    clock.allowCoreThreadTimeOut(true);
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }

  /** Threads keep no class loader and no thread-locals of the task that caused their start. */
  private static ThreadFactory named(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(null, task, prefix + count.incrementAndGet(), 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(RequestThreads.class.getClassLoader());
      return thread;
    };
  }

  /** Returns an executor that starts a task at once, on a thread of its own. */
  static Executor requests() {
    return REQUESTS;
  }

  /**
   * Runs a short task later. The task does not block.
   *
   * @return to cancel it
   */
  static Future<?> later(long delayNanos, Runnable task) {
    return CLOCK.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
  }
}
