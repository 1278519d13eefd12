package io.ariadne.plugin.cleanup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.memory.testing.Await;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Collections follow the queries of a session. */
class TestShuffleCleanup {
  private static SparkSession session;

  private final AtomicInteger collections = new AtomicInteger();

  private final ShuffleCleanup cleanup =
      new ShuffleCleanup(any -> true, collections::incrementAndGet, () -> 1L << 20);

  @BeforeAll
  static void start() {
    session =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "3")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  @BeforeEach
  void listen() {
    session.sparkContext().addSparkListener(cleanup);
  }

  @AfterEach
  void close() {
    session.sparkContext().removeSparkListener(cleanup);
    cleanup.close();
  }

  private void runQuery() throws Exception {
    session.range(20_000).selectExpr("id % 7919 as k").groupBy("k").count().collectAsList();
    session.sparkContext().listenerBus().waitUntilEmpty();
  }

  @Test
  void aQueryThatFindsMemoryFullCollects() throws Exception {
    cleanup.executorStarted("driver", 1000);
    runQuery();
    assertFalse(cleanup.isCollecting(), "while the only query runs");
    assertEquals(0, collections.get());
    runQuery();
    Await.until(() -> collections.get() == 1);
  }

  @Test
  void enoughMemoryNeedsNoCollection() throws Exception {
    cleanup.executorStarted("driver", 1L << 34);
    runQuery();
    runQuery();
    assertFalse(cleanup.isCollecting());
    assertEquals(0, collections.get());
  }

  @Test
  void nothingIsCollectedWithoutExecutors() throws Exception {
    runQuery();
    runQuery();
    assertFalse(cleanup.isCollecting());
    assertEquals(0, collections.get());
  }
}
