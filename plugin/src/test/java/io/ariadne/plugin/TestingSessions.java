package io.ariadne.plugin;

import io.ariadne.AriadnePlugin;
import org.apache.spark.sql.SparkSession;

/**
 * Small Spark sessions with the plugin: two threads, no user interface, loopback only, and map
 * outputs in files, so that queries leave no bytes in memory.
 */
public final class TestingSessions {
  private TestingSessions() {}

  /** Returns a builder of a session in which planning errors fail queries. */
  public static SparkSession.Builder builder() {
    return withDefaultManager().config("spark.shuffle.manager", "sort");
  }

  /** Returns a builder of a session with the shuffle manager that users get. */
  static SparkSession.Builder withDefaultManager() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("plugin tests")
        .config("spark.plugins", AriadnePlugin.class.getName())
        .config("spark.ariadne.memory.size", "256m")
        .config("spark.ariadne.test.rethrowPlanningErrors", "true")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/warehouse");
  }
}
