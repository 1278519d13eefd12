package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.PartialResults;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Groups of rounds that are larger than memory spill to disk, and are gone after the last one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartialResultsMemoryIT {
  /** A million groups, each of which occurs in two of the partitions. */
  private static final String GROUPS =
      "select concat('a key that is longer than twelve bytes ', id % 1000000) k, count(*) c,"
          + " sum(id) s, max(id) m from range(0, 2000000, 1, 12) group by 1";

  private static final String SQL =
      "select count(*), sum(c), sum(s), sum(m), max(k) from (" + GROUPS + ")";

  private SparkSession session;

  @BeforeAll
  void start() {
    session =
        TestingSessions.start(
            Map.of(
                "spark.shuffle.manager",
                AriadneShuffleManager.class.getName(),
                "spark.ariadne.memory.size",
                "64m"));
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
  void groupsLargerThanMemorySpill() {
    ExecutorRuntime runtime = ProcessRuntime.get();
    session.conf().set("spark.ariadne.enabled", "false");
    List<Row> expected = session.sql(SQL).collectAsList();
    session.conf().set("spark.ariadne.enabled", "true");
    long before = runtime.movedBytes();
    try (PartialResults results = PartialResults.of(session.sql(SQL), 6)) {
      PartialResults.Round round = null;
      long groups = 0;
      while (results.hasNext()) {
        round = results.next();
        assertTrue(round.rows().get(0).getLong(0) >= groups, "groups vanish");
        groups = round.rows().get(0).getLong(0);
        if (!round.isLast()) {
          assertTrue(MapOutputs.of(runtime).count() > 0, "nothing is kept");
        }
      }
      assertEquals(expected, round.rows());
    }
    assertEquals(0, MapOutputs.of(runtime).count());
    assertTrue(runtime.movedBytes() - before > 32 << 20, () -> runtime.memoryUsage().toString());
  }

  @Test
  void closingEarlyFreesMemoryAndDisk() {
    ExecutorRuntime runtime = ProcessRuntime.get();
    try (PartialResults results = PartialResults.of(session.sql(SQL), 6)) {
      for (int i = 0; i < 4; i++) {
        results.next();
      }
      assertTrue(runtime.spilledBytes() > 0, () -> runtime.memoryUsage().toString());
    }
    assertEquals(0, MapOutputs.of(runtime).count());
    assertEquals(0, runtime.spilledBytes());
  }
}
