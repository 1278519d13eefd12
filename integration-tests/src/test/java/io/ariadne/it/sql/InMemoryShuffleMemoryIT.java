package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Map outputs larger than memory spill to disk and are read back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InMemoryShuffleMemoryIT {
  private static final String SQL =
      "select k %% 1000, count(*), sum(id), max(s) from (select id, id * 7919 k,"
          + " concat('a text that is longer than twelve bytes ', id) s from range(0, %d, 1, 4)"
          + " distribute by id * 7919) group by k %% 1000";

  /** Rows whose texts alone have 94 MB. */
  private static final long ROWS = 2_000_000;

  private SparkSession session;

  @BeforeAll
  void start() {
    session =
        TestingSessions.start(
            Map.of(
                "spark.shuffle.manager",
                AriadneShuffleManager.class.getName(),
                "spark.ariadne.memory.size",
                "64m",
                "spark.ariadne.disable",
                "TransitionCost",
                "spark.sql.adaptive.enabled",
                "false",
                "spark.sql.shuffle.partitions",
                "20"));
  }

  @AfterEach
  void assertNothingIsLeft() {
    TestingSessions.assertNothingIsLive();
  }

  @AfterAll
  void stop() {
    TestingSessions.stop(session);
  }

  @Test
  void outputsLargerThanMemorySpill() {
    ExecutorRuntime runtime = ProcessRuntime.get();
    session.conf().set("spark.ariadne.enabled", "false");
    List<String> expected = RowTexts.sorted(session.sql(SQL.formatted(ROWS)));
    session.conf().set("spark.ariadne.enabled", "true");
    Dataset<Row> query = session.sql(SQL.formatted(ROWS));
    assertEquals(expected, RowTexts.sorted(query));
    assertTrue(MapOutputs.of(runtime).count() > 0, "no map output is kept");
    assertTrue(runtime.spilledBytes() > 0, () -> runtime.memoryUsage().toString());
    // What is on disk is compressed.
    assertTrue(
        MapOutputs.of(runtime).allocatedBytes() + runtime.spilledBytes()
            > runtime.memoryUsage().hostLimit(),
        () -> runtime.memoryUsage().toString());
    assertEquals(expected, RowTexts.sorted(query), "read once more");
  }
}
