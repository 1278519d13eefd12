package io.ariadne.it.cluster;

import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.executor.ProcessRuntime;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.sql.SparkSession;

/**
 * Lets the simulated devices of the executors be lost by the first launch of a query. Prints {@code
 * CHECK} lines as {@link ClusterApplication} does, and {@code GPU lost=N removed=N added=N}:
 * executors without their device, executors that ended, and those that came in their place.
 */
public final class LostGpuApplication {
  private static final String QUERY =
      "select key % 50 k, count(*) c, max(price) p from t where quantity < 40 group by 1";

  /** More than executors, and long enough that each of them gets some. */
  private static final int TASKS = 8;

  private static final int TASK_MILLIS = 300;
  private static final int MOST_SECONDS = 90;

  private LostGpuApplication() {}

  /** Counts executors that come and go. */
  private static final class Executors extends SparkListener {
    private final AtomicInteger added = new AtomicInteger();
    private final AtomicInteger removed = new AtomicInteger();

    @Override
    public void onExecutorAdded(SparkListenerExecutorAdded event) {
      added.incrementAndGet();
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
      removed.incrementAndGet();
    }
  }

  /**
   * Runs the application.
   *
   * @param args a folder for data
   */
  public static void main(String[] args) throws Exception {
    try (SparkSession session = SparkSession.builder().appName("lost-gpu").getOrCreate()) {
      boolean exits =
          session.sparkContext().getConf().get("spark.ariadne.gpu.onFatalError").equals("exit");
      ClusterApplication.writeTable(session, args[0]);
      JavaSparkContext context = new JavaSparkContext(session.sparkContext());
      Executors executors = new Executors();
      ClusterApplication.check(
          session,
          "lost-gpu",
          QUERY,
          () -> {
            onExecutors(context, LostGpuApplication::arm);
            session.sparkContext().addSparkListener(executors);
          });
      long lost = exits ? lostAfterExits(context, executors) : lostExecutors(context);
      System.out.println(
          "GPU lost=" + lost + " removed=" + executors.removed + " added=" + executors.added);
      System.out.println("APPLICATION FINISHED");
    }
  }

  /** What a task does on its executor. */
  @FunctionalInterface
  private interface Work extends Serializable {
    boolean run();
  }

  private static boolean arm() {
    ((SimulatedBackend) ProcessRuntime.get().backend()).loseAfter(0);
    return true;
  }

  private static boolean isLost() {
    return ProcessRuntime.get().lostDevice().isPresent();
  }

  /** Does some work in every executor; returns in how many it was done. */
  private static long onExecutors(JavaSparkContext context, Work work) {
    List<Integer> tasks = IntStream.range(0, TASKS).boxed().toList();
    return context
        .parallelize(tasks, TASKS)
        .map(
            task -> {
              TimeUnit.MILLISECONDS.sleep(TASK_MILLIS);
              return work.run() ? SparkEnv.get().executorId() : "";
            })
        .filter(executor -> !executor.isEmpty())
        .distinct()
        .count();
  }

  private static long lostExecutors(JavaSparkContext context) {
    return onExecutors(context, LostGpuApplication::isLost);
  }

  /**
   * Returns how many executors are without their device once all that lost it have ended and others
   * are in their place, or after a time: an executor that exits may still run tasks.
   */
  private static long lostAfterExits(JavaSparkContext context, Executors executors)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    long lost;
    boolean areReplaced;
    do {
      TimeUnit.SECONDS.sleep(1);
      lost = lostExecutors(context);
      int removed = executors.removed.get();
      areReplaced = removed > 0 && executors.added.get() >= removed;
    } while ((lost > 0 || !areReplaced) && System.nanoTime() < end);
    return lost;
  }
}
