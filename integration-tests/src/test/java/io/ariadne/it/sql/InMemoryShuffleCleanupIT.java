package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.rules.ExecutedPlan;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests map outputs in memory that Spark removes although it still knows the exchange. When a query
 * needs them again, their map tasks run again.
 */
class InMemoryShuffleCleanupIT extends AbstractDifferentialIT {
  /** Since Spark 4.1: outputs go at the end of each query. Earlier lines know nothing of it. */
  private static final String CLEANUP = "spark.sql.classic.shuffleDependency.fileCleanup.enabled";

  private static final String SQL = "select id % 997 k, max(c1) from edge group by id % 997";

  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }

  /** The plan, and with it the exchange, stays the same. */
  @BeforeEach
  void planOnce() {
    session.conf().set("spark.sql.adaptive.enabled", "false");
  }

  @Test
  void mapOutputsAreRemovedAfterEachQuery() {
    session.conf().set(CLEANUP, "false");
    List<String> expected = expected();
    session.conf().set(CLEANUP, "true");
    Dataset<Row> query = session.sql(SQL).select("*"); // not of what sql() itself gives
    for (int run = 0; run < 3; run++) {
      assertEquals(expected, RowTexts.sorted(query), "run " + run);
      awaitRemoved();
    }
    assertInMemory(query);
    assertEquals(expected.size(), query.rdd().count());
    assertTrue(MapOutputs.of(ProcessRuntime.get()).count() > 0, "of no query, so not removed");
    session.conf().set(CLEANUP, "false");
  }

  @Test
  void queryRunsAgainAfterTheUserRemovesItsOutputs() {
    List<String> expected = expected();
    Dataset<Row> query = session.sql(SQL);
    RDD<Row> rdd = query.rdd();
    for (int run = 0; run < 3; run++) {
      assertEquals(expected.size(), rdd.count());
      assertTrue(MapOutputs.of(ProcessRuntime.get()).count() > 0);
      rdd.cleanShuffleDependencies(true);
      assertEquals(0, MapOutputs.of(ProcessRuntime.get()).count());
    }
    assertEquals(expected, RowTexts.sorted(query));
    assertInMemory(query);
  }

  private List<String> expected() {
    session.conf().set("spark.ariadne.enabled", "false");
    List<String> expected = RowTexts.sorted(session.sql(SQL));
    session.conf().set("spark.ariadne.enabled", "true");
    return expected;
  }

  private static void assertInMemory(Dataset<Row> query) {
    ExecutedPlan plan = ExecutedPlan.of(query.queryExecution().executedPlan());
    assertTrue(plan.named("AriadneShuffleExchange").get(0).hasRun());
  }

  /** Spark does not wait for the end of the removal. */
  private void awaitRemoved() {
    if (session.version().startsWith("3.")) {
      return; // the setting does not exist
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (MapOutputs.of(ProcessRuntime.get()).count() > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertEquals(0, MapOutputs.of(ProcessRuntime.get()).count(), "outputs are not removed");
  }
}
