package io.ariadne.event;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates and joins threads. */
public final class Threads {
  private Threads() {}

  /**
   * Returns a new daemon thread. It inherits nothing from the creating thread: neither its
   * thread-locals nor the class loader of its query.
   */
  public static Thread daemon(String name, Runnable work) {
    boolean inheritThreadLocals = false;
    Thread thread = new Thread(null, work, name, 0, inheritThreadLocals);
    thread.setDaemon(true);
    thread.setContextClassLoader(Threads.class.getClassLoader());
    return thread;
  }

  /** Returns a factory of such threads, named with a number from 0. */
  public static ThreadFactory daemons(String name) {
    AtomicInteger number = new AtomicInteger();
    return work -> daemon(name + "-" + number.getAndIncrement(), work);
  }

  /** Waits until a thread has ended; an interrupt ends nothing and stays pending. */
  public static void join(Thread thread) {
    var unused = join(thread, Duration.ofNanos(Long.MAX_VALUE));
  }

  /**
   * Waits until a thread has ended or the time is over; an interrupt ends nothing and stays
   * pending.
   *
   * @return whether the thread has ended
   */
  public static boolean join(Thread thread, Duration most) {
    boolean interrupted = false;
    long start = System.nanoTime();
    for (long left = most.toNanos();
        left > 0 && thread.isAlive();
        left = most.toNanos() - (System.nanoTime() - start)) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
