package io.ariadne.it.suites;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Runs suites in several processes side by side, each process one after the other. A process that
 * has run many gives way to a new one.
 */
final class SuiteForks {
  /** What Spark leaves in a process (classes, caches) adds up. */
  private static final int SUITES_PER_PROCESS = 30;

  private final SuitesLayout layout;
  private final SuiteQueue queue;
  private final Consumer<SuiteRun> results;
  private final int idleSeconds;
  private int started;

  /**
   * Creates it.
   *
   * @param queue what to run
   * @param results told of each suite; one at a time
   * @param idleSeconds after which without a test's begin or end a process is killed
   */
  SuiteForks(SuitesLayout layout, SuiteQueue queue, Consumer<SuiteRun> results, int idleSeconds) {
    this.layout = layout;
    this.queue = queue;
    this.results = results;
    this.idleSeconds = idleSeconds;
  }

  /** Runs all suites of the queue in so many processes. */
  void run(int forks) throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(forks);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < forks; i++) {
        ends.add(
            threads.submit(
                () -> {
                  work();
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void work() throws IOException, InterruptedException {
    SuiteJvm jvm = null;
    boolean hasFailed = false;
    try {
      Optional<SuiteQueue.Request> next = queue.next();
      while (next.isPresent()) {
        // a test that fails may leave things, such as a JDBC dialect, which fail the next suite
        if (jvm == null || hasFailed || !jvm.isAlive() || jvm.suites() >= SUITES_PER_PROCESS) {
          jvm = replaced(jvm);
        }
        SuiteRun run = jvm.run(next.get(), idleSeconds, queue);
        hasFailed = run.tests().stream().anyMatch(TestResult::hasFailed);
        synchronized (results) {
          results.accept(run);
        }
        next = queue.next();
      }
    } finally {
      if (jvm != null) {
        jvm.close();
      }
    }
  }

  private SuiteJvm replaced(SuiteJvm old) throws IOException {
    if (old != null) {
      old.close();
    }
    return new SuiteJvm(layout, layout.logs().resolve("process-" + number() + ".log"));
  }

  private synchronized int number() {
    return ++started;
  }
}
