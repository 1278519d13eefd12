package io.ariadne.it.sql;

import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** Sessions with the plugin, as a user starts them, with planning errors rethrown. */
final class TestingSessions {
  private TestingSessions() {}

  static SparkSession start(Map<String, String> settings) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .appName("ariadne-integration-tests")
            .master("local[2]")
            .config("spark.plugins", "io.ariadne.AriadnePlugin")
            .config("spark.ariadne.test.rethrowPlanningErrors", "true")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "3")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.datetime.java8API.enabled", "true")
            .config("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED")
            .config("spark.sql.parquet.int96RebaseModeInWrite", "CORRECTED");
    settings.forEach(builder::config);
    SparkSession session = builder.getOrCreate();
    session.sparkContext().setLogLevel("WARN");
    return session;
  }

  /** Stops a session; the plugin itself fails the stop when it leaves memory behind. */
  static void stop(SparkSession session) {
    if (session != null) {
      session.stop();
    }
  }
}
