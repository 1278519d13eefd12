package io.ariadne.it.cluster;

import io.ariadne.PartialResults;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Executes an aggregation in rounds, and kills an executor between two of them. Prints {@code
 * ROUNDS count=N last=equal|different killed=N repeated=N}, the latter the map stages that ran
 * again.
 */
public final class PartialResultsApplication {
  private static final String SQL =
      "select id % 30011 k, count(*) c, sum(id) s, min(id) m from range(0, 600000, 1, 40)"
          + " group by 1";

  private PartialResultsApplication() {}

  /** Counts shuffles whose map tasks run again. */
  private static final class Repetitions extends SparkListener {
    private final Set<Object> shuffles = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      var shuffle = submitted.stageInfo().shuffleDepId();
      if (shuffle.isDefined() && !shuffles.add(shuffle.get())) {
        count.incrementAndGet();
      }
    }
  }

  /**
   * Runs the application.
   *
   * @param args a folder, which it does not need
   */
  public static void main(String[] args) throws Exception {
    try (SparkSession session = SparkSession.builder().appName("partial-results").getOrCreate()) {
      session.conf().set("spark.ariadne.enabled", "false");
      List<String> expected = sorted(session.sql(SQL).collectAsList());
      session.conf().set("spark.ariadne.enabled", "true");
      Repetitions repetitions = new Repetitions();
      session.sparkContext().addSparkListener(repetitions);
      Dataset<Row> query = session.sql(SQL);
      int killed = 0;
      PartialResults.Round round = null;
      try (PartialResults results = PartialResults.of(query, 8)) {
        while (results.hasNext()) {
          round = results.next();
          killed += round.number() == 6 ? kill() : 0;
        }
      }
      session.sparkContext().listenerBus().waitUntilEmpty();
      System.out.println(
          "ROUNDS count=%d last=%s killed=%d repeated=%d"
              .formatted(
                  round.count(),
                  sorted(round.rows()).equals(expected) ? "equal" : "different",
                  killed,
                  repetitions.count.get()));
      System.out.println("APPLICATION FINISHED");
    }
  }

  private static int kill() {
    return ExecutorProcesses.executors().stream()
            .findFirst()
            .map(executor -> executor.handle().destroyForcibly())
            .orElse(false)
        ? 1
        : 0;
  }

  private static List<String> sorted(List<Row> rows) {
    return rows.stream().map(Row::toString).sorted().toList();
  }
}
