package io.ariadne.benchmark.engine;

import java.util.Comparator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;

/**
 * Kills one executor of a {@code local-cluster} once, as {@code kill -9} does. Spark's worker then
 * starts another.
 */
final class ExecutorLoss implements AutoCloseable {
  private static final int RESTART_SECONDS = 120;
  private static final int POLL_MILLIS = 100;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Future<Boolean> kill;

  /**
   * Kills an executor later.
   *
   * @param nanos time until then
   */
  ExecutorLoss(long nanos) {
    kill = timer.schedule(ExecutorLoss::kill, nanos, TimeUnit.NANOSECONDS);
  }

  /** The oldest one: of those that an earlier loss has not replaced, as long as there are any. */
  private static boolean kill() {
    return ProcessHandle.current()
        .descendants()
        .filter(ExecutorLoss::isExecutor)
        .min(Comparator.comparing(process -> process.info().startInstant().orElseThrow()))
        .map(ProcessHandle::destroyForcibly)
        .orElse(false);
  }

  /** This process starts only executors. The names of their classes follow a long class path. */
  private static boolean isExecutor(ProcessHandle process) {
    return process.info().command().orElse("").endsWith("/java");
  }

  /** Returns whether an executor was killed until now. */
  boolean isKilled() throws ExecutionException, InterruptedException {
    return kill.isDone() && kill.get();
  }

  /**
   * Waits until an application has all its executors.
   *
   * @throws IllegalStateException when some are still missing after two minutes
   */
  static void awaitExecutors(SparkContext context, int executors) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(RESTART_SECONDS);
    // The driver is one of them.
    while (context.statusTracker().getExecutorInfos().length <= executors) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "fewer than %d executors %d s after one was killed"
                .formatted(executors, RESTART_SECONDS));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Kills none if the time has not come. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
