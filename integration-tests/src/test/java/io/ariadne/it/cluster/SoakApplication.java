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
    try (SparkSession session = SparkSession.builder().appName("soak").getOrCreate()) {
      SparkConf conf = session.sparkContext().getConf();
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
              conf.getInt("spark.soak.executors", 0),
              Path.of(conf.get("spark.ariadne.memory.spill.directories")),
              conf.getBoolean("spark.soak.small", false));
      new SoakRun(session, settings).run();
      System.out.println("APPLICATION FINISHED");
    }
  }
}
