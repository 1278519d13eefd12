package io.ariadne.rules;

import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** Small Spark sessions for tests: two threads, no user interface, loopback only. */
public final class TestingSession {
  private TestingSession() {}

  /** Starts a session that plans with these settings. */
  public static SparkSession start(Supplier<RulesConfig> config) {
    return SparkSession.builder()
        .master("local[2]")
        .appName("physical-rules tests")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/warehouse")
        .withExtensions(
            new AbstractFunction1<SparkSessionExtensions, BoxedUnit>() {
              @Override
              public BoxedUnit apply(SparkSessionExtensions extensions) {
                extensions.injectColumnar(session -> new AriadneColumnarRule(config));
                extensions.injectQueryStagePrepRule(session -> new AdaptiveExchanges());
                return BoxedUnit.UNIT;
              }
            })
        .getOrCreate();
  }
}
