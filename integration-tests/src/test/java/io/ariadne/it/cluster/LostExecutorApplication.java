package io.ariadne.it.cluster;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/**
 * Loses an executor, and with it the map outputs it keeps, when the first task has read some of
 * them and many have not. Prints {@code CHECK} lines as {@link ClusterApplication} does, and {@code
 * LOST executors=N repeated=N} with the number of stages that ran again.
 */
public final class LostExecutorApplication {
  private static final String QUERY =
      "select a.k, c, p, q from (select key % 500 k, count(*) c, max(price) p from t group by 1) a"
          + " join (select key % 700 k, sum(quantity) q from t group by 1) b on a.k = b.k";

  private LostExecutorApplication() {}

  /** Kills the first executor it finds, once. */
  private static final class Killer extends SparkListener {
    private final Set<Integer> reducing = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isToKill = new AtomicBoolean(true);
    private final AtomicInteger killed = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (reducing.contains(end.stageId()) && isToKill.compareAndSet(true, false)) {
        boolean isKilled =
            ExecutorProcesses.executors().stream()
                .findFirst()
                .map(executor -> executor.handle().destroyForcibly())
                .orElse(false);
        killed.addAndGet(isKilled ? 1 : 0);
      }
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      if (submitted.stageInfo().parentIds().nonEmpty()) {
        reducing.add(submitted.stageInfo().stageId());
      }
      if (submitted.stageInfo().attemptNumber() > 0) {
        repeated.incrementAndGet();
      }
    }
  }

  /**
   * Runs the application.
   *
   * @param args a folder for data
   */
  public static void main(String[] args) throws Exception {
    try (SparkSession session = SparkSession.builder().appName("lost-executor").getOrCreate()) {
      ClusterApplication.writeTable(session, args[0]);
      Killer killer = new Killer();
      ClusterApplication.check(
          session, "lost-executor", QUERY, () -> session.sparkContext().addSparkListener(killer));
      System.out.println("LOST executors=" + killer.killed + " repeated=" + killer.repeated);
      System.out.println("APPLICATION FINISHED");
    }
  }
}
