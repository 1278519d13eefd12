package io.ariadne.it.cluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;

/**
 * Loses an executor, and with it the map outputs it keeps, when the first task has read some of
 * them and many have not. Prints {@code CHECK} lines as {@link ClusterApplication} does, and {@code
 * LOST executors=N maps=N lost=N again=N needless=N}: map tasks, those of them whose output the
 * executor had, those that ran again, and those among these whose output another executor had.
 */
public final class LostExecutorApplication {
  private static final String QUERY =
      "select a.k, c, p, q from (select id % 100003 k, count(*) c, max(id) p"
          + " from range(0, 1200000, 1, 24) group by 1) a"
          + " join (select id % 70001 k, sum(id) q from range(0, 1200000, 1, 24) group by 1) b"
          + " on a.k = b.k where (p + q) % 40 = 0";

  private LostExecutorApplication() {}

  /** Kills an executor that has map outputs, once. Thread-safe. */
  private static final class Killer extends SparkListener {
    /** The executors with the outputs of map tasks. */
    private final Map<MapTask, String> owners = new HashMap<>();

    private final Map<Integer, Integer> shufflesByStage = new HashMap<>();
    private final Set<Integer> reducing = new HashSet<>();
    private final Set<MapTask> again = new HashSet<>();
    private final Set<MapTask> needless = new HashSet<>();
    private String victim;
    private long lost;
    private int killed;

    private record MapTask(int shuffleId, int partition) {}

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      int stage = submitted.stageInfo().stageId();
      if (submitted.stageInfo().shuffleDepId().isDefined()) {
        shufflesByStage.put(stage, (Integer) submitted.stageInfo().shuffleDepId().get());
      } else if (submitted.stageInfo().parentIds().nonEmpty()) {
        reducing.add(stage);
      }
    }

    @Override
    public synchronized void onTaskStart(SparkListenerTaskStart start) {
      Integer shuffle = shufflesByStage.get(start.stageId());
      if (shuffle != null) {
        MapTask task = new MapTask(shuffle, start.taskInfo().partitionId());
        String owner = owners.get(task);
        if (owner != null) {
          again.add(task);
          if (!owner.equals(victim)) {
            needless.add(task);
          }
        }
      }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
      Integer shuffle = shufflesByStage.get(end.stageId());
      if (shuffle != null && end.reason() == Success$.MODULE$) {
        owners.put(new MapTask(shuffle, end.taskInfo().partitionId()), end.taskInfo().executorId());
      } else if (reducing.contains(end.stageId()) && victim == null) {
        victim = owners.values().iterator().next();
        lost = owners.values().stream().filter(victim::equals).count();
        killed =
            (int)
                ExecutorProcesses.executors().stream()
                    .filter(executor -> String.valueOf(executor.id()).equals(victim))
                    .filter(executor -> executor.handle().destroyForcibly())
                    .count();
      }
    }

    @Override
    public synchronized String toString() {
      return "LOST executors=%d maps=%d lost=%d again=%d needless=%d"
          .formatted(killed, owners.size(), lost, again.size(), needless.size());
    }
  }

  /**
   * Runs the application.
   *
   * @param args a folder, which it does not need
   */
  public static void main(String[] args) throws Exception {
    try (SparkSession session = SparkSession.builder().appName("lost-executor").getOrCreate()) {
      Killer killer = new Killer();
      ClusterApplication.check(
          session, "lost-executor", QUERY, () -> session.sparkContext().addSparkListener(killer));
      session.sparkContext().listenerBus().waitUntilEmpty();
      System.out.println(killer);
      System.out.println("APPLICATION FINISHED");
    }
  }
}
