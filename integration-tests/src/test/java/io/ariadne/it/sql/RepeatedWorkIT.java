package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.memory.testing.ProcessUse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Repeats the same mixed work in one executor: group-bys that spill much, filters, limits that stop
 * early, errors and cancelled jobs. Memory stays flat; no thread, file or byte is left. The system
 * property {@code ariadne.test.repetitions} says how often.
 */
class RepeatedWorkIT {
  private static final int REPETITIONS = Integer.getInteger("ariadne.test.repetitions", 20);

  /** Repetitions until classes and code are there. */
  private static final int WARM_UP = 8;

  /** What Spark itself keeps of each query, besides what the collector has not yet taken. */
  private static final long HEAP_SLACK_BYTES = (24L << 20) + (256L << 10) * REPETITIONS;

  private static final List<String> QUERIES =
      List.of(
          "select k, count(*), sum(v), min(s) from t group by k order by k limit 3",
          "select count(*), sum(v) from t where v % 7 = 3 and s like '%9%'",
          "select s, collect_list(v) from t where k < 50 group by s order by s limit 2",
          "select v + 1, upper(s) from t where v > 5 limit 4",
          "select count(distinct s), avg(v) from t");

  @TempDir private Path folder;

  @Test
  void nothingIsLeft() throws Exception {
    SparkSession session =
        TestingSessions.start(
            Map.of(
                "spark.ariadne.memory.size", "64m",
                "spark.sql.ansi.enabled", "true",
                "spark.sql.ui.retainedExecutions", "1"));
    try {
      session
          .sql(
              "select id v, id % 20000 k, concat('text number ', id % 9999) s"
                  + " from range(0, 120000, 1, 4)")
          .write()
          .parquet(folder.resolve("t").toString());
      session.read().parquet(folder.resolve("t").toString()).createOrReplaceTempView("t");
      repeat(session);
    } finally {
      TestingSessions.stop(session);
    }
  }

  private static void repeat(SparkSession session) throws Exception {
    List<List<Row>> expected =
        QUERIES.stream().map(query -> session.sql(query).collectAsList()).toList();
    ExecutorRuntime runtime = ProcessRuntime.get();
    ProcessUse warm = null;
    for (int i = 0; i < WARM_UP + REPETITIONS; i++) {
      if (i == WARM_UP) {
        warm = ProcessUse.now(RepeatedWorkIT::stays);
      }
      for (int query = 0; query < QUERIES.size(); query++) {
        List<Row> rows = session.sql(QUERIES.get(query)).collectAsList();
        assertEquals(expected.get(query).size(), rows.size(), QUERIES.get(query));
        if (query < 2) {
          assertEquals(expected.get(query), rows, QUERIES.get(query));
        }
      }
      fail(session);
      cancel(session);
      TestingSessions.assertNothingIsLive();
      assertEquals(0, runtime.spilledBytes());
    }
    assertEquals("", runtime.lastReport());
    ProcessUse end = ProcessUse.now(RepeatedWorkIT::stays);
    System.out.println(REPETITIONS + " repetitions: from " + warm + " to " + end);
    assertEquals(warm.threads(), end.threads());
    long grown = end.heapBytes() - warm.heapBytes();
    assertTrue(grown < HEAP_SLACK_BYTES, grown + " bytes more on the heap");
    assertEquals(List.of(), end.filesBeyond(warm), "files left open");
  }

  /** Threads for spill files come with the first one. */
  private static boolean stays(String thread) {
    return thread.startsWith("ariadne") && !thread.startsWith("ariadne-spill-");
  }

  private static void fail(SparkSession session) {
    assertThrows(
        Exception.class, () -> session.sql("select sum(1 / (v - 70000)) from t").collectAsList());
  }

  /** Cancels a job while it runs, or before or after that. */
  private static void cancel(SparkSession session) throws InterruptedException {
    Thread canceller =
        new Thread(
            () -> {
              sleep();
              session.sparkContext().cancelAllJobs();
            });
    canceller.start();
    try {
      session.sql("select s, k, collect_list(v) from t group by s, k").count();
    } catch (Exception e) {
      // Scala's code throws what it does not declare; which one depends on where the job was.
      assertTrue(String.valueOf(e.getMessage()).contains("cancel"), e.toString());
    }
    canceller.join();
  }

  private static void sleep() {
    try {
      Thread.sleep(40);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
