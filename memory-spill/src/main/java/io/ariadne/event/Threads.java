package io.ariadne.event;

/** What is done with threads that somebody owns. */
public final class Threads {
  private Threads() {}

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
