package io.ariadne.it.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that do the same work. What one of them throws is never lost. For one owner. */
final class SoakWorkers implements AutoCloseable {
  private final List<Future<?>> workers = new ArrayList<>();
  private final ExecutorService threads;

  /** Starts so many threads. */
  SoakWorkers(int count, Runnable work) {
    threads = Executors.newFixedThreadPool(count);
    for (int i = 0; i < count; i++) {
      workers.add(threads.submit(work));
    }
    threads.shutdown();
  }

  /**
   * Waits until all have ended.
   *
   * @return false when the time is over before
   * @throws ExecutionException what one of them has thrown, errors too, also while others work
   */
  boolean await(long millis) throws InterruptedException, ExecutionException {
    boolean haveEnded = threads.awaitTermination(millis, TimeUnit.MILLISECONDS);
    for (Future<?> each : workers) {
      if (each.isDone()) {
        each.get();
      }
    }
    return haveEnded;
  }

  /** Interrupts those that work. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
