package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.memory.Reservation;
import io.ariadne.rules.exec.AriadneHashJoinExec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests groups that need many times the memory: they spill to Spark's local directories, and the
 * answers are Spark's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemoryIT {
  private static final long ROWS = 4_000_000;

  @TempDir static Path folder;

  private SparkSession session;

  @BeforeAll
  void start() {
    session = TestingSessions.start(Map.of("spark.ariadne.memory.size", "128m"));
    // Every key twice, far from each other; a group's accumulators take some 200 bytes.
    session
        .range(0, ROWS, 1, 2)
        .selectExpr("pmod(id * 7919, " + ROWS / 2 + ") k", "id % 1000 v", "id % 7 w")
        .createOrReplaceTempView("keyed");
  }

  @AfterEach
  void assertNothingIsLeft() {
    TestingSessions.assertNothingIsLive();
    assertEquals(0, runtime().spilledBytes(), runtime()::diagnosis);
  }

  @AfterAll
  void stop() {
    TestingSessions.stop(session);
  }

  private static ExecutorRuntime runtime() {
    return ProcessRuntime.get();
  }

  /** Two million groups, each of them in both partitions of the input. */
  @Test
  void groupsByNumber() {
    check(
        "SELECT count(*), sum(c), sum(s), sum(mi), sum(ma), sum(a), sum(sw), sum(maw), sum(miw),"
            + " max(k) FROM (SELECT k, count(*) c, sum(v) s, min(v) mi, max(v) ma, avg(v) a,"
            + " sum(w) sw, max(w) maw, min(w) miw, avg(w) aw, count(w) cw, sum(v + w) svw"
            + " FROM keyed GROUP BY k)",
        200L << 20);
  }

  /** The same by long strings, which lie in heaps of their own. */
  @Test
  void groupsByString() {
    check(
        "SELECT count(*), sum(c), sum(s), sum(xxhash64(t) % 1000) FROM (SELECT concat('a key that"
            + " is longer than twelve bytes: ', cast(k AS string)) t, count(*) c, sum(v) s"
            + " FROM keyed GROUP BY 1)",
        100L << 20);
  }

  /**
   * Joins by merging whose smaller side, the left one, is several times what a table may take; of
   * those that only say whether a row has a pair, many rows have one key.
   */
  @Test
  void joinsMatchSpark() {
    Map<String, String> settings =
        Map.of(
            "spark.sql.autoBroadcastJoinThreshold", "-1",
            "spark.sql.shuffle.partitions", "2",
            "spark.sql.adaptive.coalescePartitions.enabled", "false");
    settings.forEach(session.conf()::set);
    // Less is left than one of the two tasks needs: they may run one after the other.
    try (Reservation held = runtime().pool().tryReserve("test", 64L << 20)) {
      assertNotNull(held);
      checkHalfJoins();
      checkExistenceJoin();
    }
    settings.keySet().forEach(session.conf()::unset);
  }

  private void checkHalfJoins() {
    for (String kind : List.of("LEFT SEMI", "LEFT ANTI", "LEFT")) {
      String right = kind.equals("LEFT") ? ", count(r.w), sum(r.w)" : "";
      checkJoin(
          "SELECT /*+ merge(r) */ count(*), sum(l.k), sum(l.v)%s FROM".formatted(right)
              + " (SELECT k, v, w FROM keyed WHERE v < 700) l %s JOIN".formatted(kind)
              + " (SELECT k + 500000 k, v, w FROM keyed) r ON l.k = r.k AND l.w <> r.w");
    }
  }

  /**
   * Of files, as Spark computes columns of a range behind the join. 400,000 rows on the left have
   * one key, and 20 on the right.
   */
  private void checkExistenceJoin() {
    String path = folder.resolve("stored").toUri().toString();
    session.table("keyed").write().parquet(path);
    session.read().parquet(path).createOrReplaceTempView("stored");
    checkJoin(
        "SELECT count(*), sum(k), sum(v), sum(w) FROM"
            + " (SELECT if(v < 100, -1, k) k, v, w FROM stored WHERE v < 700) l"
            + " WHERE l.v % 10 = 3 OR EXISTS (SELECT /*+ merge(r) */ 1 FROM"
            + " (SELECT if(k < 10, -1, k + 500000) k, w FROM stored) r"
            + " WHERE l.k = r.k AND l.w <> r.w)");
  }

  private void checkJoin(String sql) {
    SparkPlan plan = check(sql, 1 << 20);
    List<AriadneHashJoinExec> joins = PlanNodes.of(plan, AriadneHashJoinExec.class);
    assertEquals(1, joins.size(), plan::toString);
    assertTrue(joins.get(0).simpleString(100).contains("BuildLeft"), plan::toString);
  }

  /** Compares a query with Spark's; returns the plan. */
  private SparkPlan check(String sql, long leastMoved) {
    session.conf().set("spark.ariadne.enabled", "false");
    List<Row> expected = session.sql(sql).collectAsList();
    session.conf().set("spark.ariadne.enabled", "true");
    long before = runtime().movedBytes();
    Dataset<Row> query = session.sql(sql);
    TaskSums sums = TaskSums.of(session, () -> assertEquals(expected, query.collectAsList(), sql));
    long moved = runtime().movedBytes() - before;
    assertTrue(moved >= leastMoved, () -> moved + " bytes left memory");
    // What is moved when a task ends may be counted too late for it.
    long counted = sums.get("memorySpilled");
    assertTrue(counted <= moved && counted > 0.9 * moved, () -> moved + " of " + sums);
    assertTrue(sums.get("diskSpilled") > 0, sums::toString);
    assertTrue(sums.get("peakMemory") > 32 << 20, sums::toString);
    return query.queryExecution().executedPlan();
  }
}
