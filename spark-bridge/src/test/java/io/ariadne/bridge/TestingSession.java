package io.ariadne.bridge;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.execution.ColumnarRule;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** Small Spark sessions for tests: two threads, no user interface, loopback only. */
public final class TestingSession {
  private TestingSession() {}

  /** Starts a session without extensions. */
  public static SparkSession start() {
    return builder().getOrCreate();
  }

  /** Starts a session whose physical plans pass through {@code rule}. */
  public static SparkSession start(ColumnarRule rule) {
    return builder()
        .withExtensions(
            new AbstractFunction1<SparkSessionExtensions, BoxedUnit>() {
              @Override
              public BoxedUnit apply(SparkSessionExtensions extensions) {
                extensions.injectColumnar(
                    new AbstractFunction1<SparkSession, ColumnarRule>() {
                      @Override
                      public ColumnarRule apply(SparkSession session) {
                        return rule;
                      }
                    });
                return BoxedUnit.UNIT;
              }
            })
        .getOrCreate();
  }

  private static SparkSession.Builder builder() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("spark-bridge tests")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/warehouse");
  }
}
