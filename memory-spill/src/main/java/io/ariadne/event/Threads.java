package io.ariadne.event;

import java.util.concurrent.ThreadFactory;
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
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
