package io.ariadne.benchmark.cloudsort;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs tasks on some threads. */
final class Parallel {
  private Parallel() {}

  /**
   * Runs tasks and waits for all of them.
   *
   * @param what names the work in the message of a failure
   * @return their results, in the order of the tasks
   * @throws IOException when a task fails; tasks that have not started do not run then
   */
  static <T> List<T> run(String what, int threads, List<Callable<T>> tasks) throws IOException {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, what);
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<T>> running = new ArrayList<>();
      tasks.forEach(task -> running.add(pool.submit(task)));
      List<T> results = new ArrayList<>();
      for (Future<T> task : running) {
        results.add(task.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new IOException(what + " failed: " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted during the " + what);
    } finally {
      pool.shutdownNow();
    }
  }
}
