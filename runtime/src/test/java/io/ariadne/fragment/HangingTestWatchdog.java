package io.ariadne.fragment;

import io.ariadne.executor.ExecutorRuntime;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends a test that hangs: prints who waits for what and all stacks, then interrupts the test. */
public final class HangingTestWatchdog {
  private HangingTestWatchdog() {}

  /** Runs a body on the calling thread within a time. */
  public static <T> T watch(ExecutorRuntime runtime, Duration limit, Callable<T> body)
      throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Thread test = Thread.currentThread();
    Thread dog = new Thread(() -> bark(runtime, limit, done, test), "watchdog");
    dog.setDaemon(true);
    dog.start();
    try {
      return body.call();
    } finally {
      done.countDown();
      FragmentTestFailures.join(dog);
    }
  }

  private static void bark(
      ExecutorRuntime runtime, Duration limit, CountDownLatch done, Thread test) {
    try {
      if (done.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      return;
    }
    System.err.println("hangs after " + limit + ":\n" + runtime.diagnosis());
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      System.err.println(entry.getKey());
      for (StackTraceElement frame : entry.getValue()) {
        System.err.println("    at " + frame);
      }
    }
    test.interrupt();
  }
}
