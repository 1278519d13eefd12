package io.ariadne.it.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs a query three times whose exchange stays the same, and of which Spark removes the map
 * outputs each time it ends. Prints {@code REMOVED equal|different operators=N stages=N} with the
 * number of map stages that were run.
 */
public final class RemovedOutputsApplication {
  private static final String QUERY =
      "select key % 500 k, count(*) c, max(price) p from t group by key % 500";

  private static final int RUNS = 3;

  private RemovedOutputsApplication() {}

  /** Counts stages that read no exchange. */
  private static final class MapStages extends SparkListener {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      count.addAndGet(submitted.stageInfo().parentIds().isEmpty() ? 1 : 0);
    }
  }

  /**
   * Runs the application.
   *
   * @param args a folder for data
   */
  public static void main(String[] args) throws Exception {
    try (SparkSession session = SparkSession.builder().appName("removed-outputs").getOrCreate()) {
      ClusterApplication.writeTable(session, args[0]);
      session.conf().set("spark.ariadne.enabled", "false");
      List<String> expected = rows(session.sql(QUERY));
      session.conf().set("spark.ariadne.enabled", "true");
      MapStages stages = new MapStages();
      session.sparkContext().addSparkListener(stages);
      Dataset<Row> query = session.sql(QUERY).select("*"); // not of what sql() itself gives
      boolean isEqual = true;
      for (int run = 0; run < RUNS; run++) {
        isEqual &= rows(query).equals(expected);
        TimeUnit.SECONDS.sleep(1); // no call waits for the end of the removal
      }
      String plan = query.queryExecution().executedPlan().toString();
      System.out.println(
          String.format(
              "REMOVED %s operators=%d stages=%d",
              isEqual ? "equal" : "different",
              plan.lines().filter(line -> line.contains("Ariadne")).count(),
              stages.count.get()));
      System.out.println("APPLICATION FINISHED");
    }
  }

  private static List<String> rows(Dataset<Row> query) {
    Row[] rows = (Row[]) query.collect();
    return Arrays.stream(rows).map(Row::toString).sorted().collect(Collectors.toList());
  }
}
