package io.ariadne.it.cluster;

import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Runs random shuffles under random faults, and fails at the first wrong answer, failed job, hang
 * or leak. Prints lines {@code FAULT}, {@code SAMPLE}, {@code QUIET}, {@code GROWTH} and last
 * {@code SOAK}, the summary.
 */
public final class SoakApplication {
  private SoakApplication() {}

  /**
   * Runs the application, as settings {@code spark.soak.*} say.
   *
   * @param args a folder for data
   */
  public static void main(String[] args) throws Exception {
    SparkConf conf = new SparkConf();
    int executors = conf.getInt("spark.soak.executors", 0);
    try (SoakCluster cluster = new SoakCluster(conf, executors);
        SparkSession session =
            SparkSession.builder().master(cluster.masterUrl()).appName("soak").getOrCreate()) {
      session
          .sql(
              "select id, %s from range(0, %d, 1, 4)"
                  .formatted(SoakQuery.columnsByNumber(), SoakQuery.TABLE_ROWS))
          .write()
          .mode(SaveMode.Overwrite)
          .parquet(args[0]);
      session.read().parquet(args[0]).createOrReplaceGlobalTempView("soak");
      SoakRun.Settings settings =
          new SoakRun.Settings(
              conf.getLong("spark.soak.seconds", 0),
              conf.getLong("spark.soak.seed", 0),
              executors,
              Path.of(conf.get("spark.ariadne.memory.spill.directories")),
              conf.getBoolean("spark.soak.small", false));
      new SoakRun(session, settings).run();
      System.out.println("APPLICATION FINISHED");
    }
  }
}
