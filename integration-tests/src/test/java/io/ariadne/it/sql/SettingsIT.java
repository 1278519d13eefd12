package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.error.EngineException;
import io.ariadne.it.fault.ForeignSettings;
import io.ariadne.rules.ExecutedPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/**
 * Tests two sessions of one application with opposite settings. Each query runs under the settings
 * of its own session, on all threads that plan, ship and execute its parts.
 */
class SettingsIT extends AbstractDifferentialIT {
  private static final int ROUNDS = 2;

  private static final Map<String, String> OLD =
      Map.ofEntries(
          Map.entry("spark.sql.ansi.enabled", "false"),
          Map.entry("spark.sql.session.timeZone", "America/Los_Angeles"),
          Map.entry("spark.sql.caseSensitive", "false"),
          Map.entry("spark.sql.columnNameOfCorruptRecord", "bad"),
          Map.entry("spark.sql.legacy.timeParserPolicy", "LEGACY"),
          Map.entry("spark.sql.legacy.allowNegativeScaleOfDecimal", "true"),
          Map.entry("spark.sql.legacy.castComplexTypesToString.enabled", "true"),
          Map.entry("spark.sql.legacy.sizeOfNull", "true"),
          Map.entry("spark.sql.mapKeyDedupPolicy", "LAST_WIN"),
          Map.entry("spark.sql.decimalOperations.allowPrecisionLoss", "false"));

  private static final Map<String, String> NEW =
      Map.ofEntries(
          Map.entry("spark.sql.ansi.enabled", "true"),
          Map.entry("spark.sql.session.timeZone", "Asia/Kolkata"),
          Map.entry("spark.sql.caseSensitive", "true"),
          Map.entry("spark.sql.columnNameOfCorruptRecord", "_corrupt_record"),
          Map.entry("spark.sql.legacy.timeParserPolicy", "CORRECTED"),
          Map.entry("spark.sql.legacy.allowNegativeScaleOfDecimal", "false"),
          Map.entry("spark.sql.legacy.castComplexTypesToString.enabled", "false"),
          Map.entry("spark.sql.legacy.sizeOfNull", "false"),
          Map.entry("spark.sql.mapKeyDedupPolicy", "EXCEPTION"),
          Map.entry("spark.sql.decimalOperations.allowPrecisionLoss", "true"));

  private static final List<String> QUERIES =
      List.of(
          "select id, cast(c1 as int) from single",
          "select id, i1 + i2 from single where id % 3 = 0",
          "select g, sum(l1) from single group by g",
          "select id, array(i1, i2)[cast(id % 4 as int)] from small",
          "select id, date_format(t1, 'yyyy-MM-dd HH:mm z'), hour(t1), cast(t1 as string)"
              + " from small",
          "select id, to_timestamp(concat('2021-3-', id % 28 + 1), 'yyyy-MM-dd') from small",
          "select id, unix_timestamp(concat('2021-03-0', id % 9 + 1), 'yyyy-MM-dd') from small",
          "select id, from_json(concat('{\"a\": ', if(id % 2 = 0, 'x', id), '}'),"
              + " 'a int, bad string, _corrupt_record string') from small",
          "select id, cast(named_struct('a', i1, 'b', array(c1, null)) as string) from small",
          "select id, size(if(id % 3 = 0, null, array(i1, id))) from small",
          "select id, str_to_map(concat('a:', id, ',b:1,a:2')) from small",
          "select id, n1 * h1, m1 / n2 from small",
          "select id, id * 1E2BD + n1, n1 - 1E2BD, m1 / 3E3BD from small where id > 0",
          "select id, (n1 + 1000) % 1E1BD, sum(n1 * 1E2BD) over (partition by g) from small",
          "select g, sum(n1 * 1E2BD), avg(id * 2E2BD), max(n1 + 1E2BD) from small group by g",
          "select id, reflect('java.lang.Math', 'abs', id), initcap(c1) from small",
          "select g, max(date_trunc('day', t1)), min(to_date(cast(t1 as string))) from small"
              + " group by g",
          "select a.id, b.id from small a join small b on date_format(a.t1, 'D') = hour(b.t1)",
          "select g, stddev(i1), collect_set(cast(t1 as string)) from one group by g");

  /** Queries that fail under neither settings and give different answers. */
  private static final List<String> WITHIN =
      List.of(
          "select id, date_format(t1, 'yyyy-MM-dd HH:mm z'), hour(t1), cast(t1 as string)"
              + " from small",
          "select id, unix_timestamp(concat('2021-03-0', id % 9 + 1), 'yyyy-MM-dd') from small",
          "select id, date_format(t1, 'ss.S') from small",
          // Not max of text: Spark sorts for that, and makes its code in tasks, by their settings.
          "select g, sum(length(date_format(t1, 'ss.S'))) from small group by g");

  @Test
  void eachQueryHasTheSettingsOfItsSession() throws Exception {
    List<SparkSession> sessions = List.of(session(OLD), session(NEW));
    List<List<String>> expected = sessions.stream().map(SettingsIT::outcomesOfSpark).toList();
    for (int i = 0; i < QUERIES.size(); i++) { // otherwise the query says nothing
      String query = QUERIES.get(i);
      assertFalse(expected.get(0).get(i).startsWith("error"), () -> query + expected.get(0));
      if (!query.contains("collect_set") && !query.contains("reflect")) {
        assertNotEquals(expected.get(0).get(i), expected.get(1).get(i), query);
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(sessions.size());
    try {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < sessions.size(); i++) {
        SparkSession own = sessions.get(i);
        List<String> answers = expected.get(i);
        runs.add(threads.submit(() -> compare(own, answers)));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Spark sets the settings around the beginning of such tasks, and ships none with them. */
  @Test
  void rowsOfAnRddMatchSpark() {
    compareRdds(QUERIES, Map.of(), UnaryOperator.identity());
  }

  /**
   * Such tasks make their rows' iterators late, or below an exchange, and not within Spark's RDD.
   */
  @Test
  void rowsOfAnRddBelowOthersMatchSpark() {
    List<String> queries = QUERIES.stream().filter(query -> query.contains("'yyyy-MM-dd")).toList();
    Map<String, String> several =
        Map.of(
            "spark.sql.files.maxPartitionBytes", "4000",
            "spark.ariadne.disable", "OnePartitionExec");
    compareRdds(queries, several, rows -> rows.coalesce(1));
    compareRdds(queries, several, rows -> rows.repartition(3));
  }

  /**
   * Rows of a query that runs within another one, whose settings are others: of a checkpoint, an
   * RDD and a cache. So are those of two queries' RDDs in one task.
   */
  @Test
  void rowsWithinOtherQueriesMatchSpark() {
    for (String query : WITHIN) { // otherwise the query says nothing
      Outcome before = Outcome.of(session(OLD), query);
      Outcome after = Outcome.of(session(NEW), query);
      assertNull(before.error(), query);
      assertNull(after.error(), query);
      assertNotEquals(before.rows(), after.rows(), query);
    }
    compareWithin(
        (own, query) -> {
          Dataset<Row> checkpoint = own.sql(query).localCheckpoint(false);
          NEW.forEach((key, value) -> own.conf().set(key, value));
          return checkpoint.collectAsList();
        });
    compareWithin(
        (own, query) -> {
          Dataset<Row> rows = own.sql(query);
          SparkSession other = sessionBeside(own);
          return other.createDataFrame(rows.javaRDD(), rows.schema()).collectAsList();
        });
    compareWithin(
        (own, query) -> {
          JavaRDD<Row> rows = own.sql(query).javaRDD();
          SparkSession other = sessionBeside(own);
          SparkSession.setActiveSession(other);
          return other.sql(query).javaRDD().union(rows).coalesce(1).collect();
        });
    compareWithin(
        (own, query) -> {
          Dataset<Row> kept = own.sql(query).cache();
          NEW.forEach((key, value) -> own.conf().set(key, value));
          try {
            return kept.collectAsList();
          } finally {
            kept.unpersist(true);
          }
        });
  }

  /** Returns a session of new settings that has Ariadne on where the other one has. */
  private SparkSession sessionBeside(SparkSession own) {
    SparkSession other = session(NEW);
    other.conf().set("spark.ariadne.enabled", own.conf().get("spark.ariadne.enabled"));
    return other;
  }

  /** Compares queries that are created under old settings. */
  private void compareWithin(BiFunction<SparkSession, String, List<Row>> run) {
    for (String query : WITHIN) {
      List<List<String>> answers = new ArrayList<>();
      for (String enabled : List.of("false", "true")) {
        SparkSession own = session(OLD);
        own.conf().set("spark.ariadne.enabled", enabled);
        SparkSession.setActiveSession(own);
        try {
          answers.add(run.apply(own, query).stream().map(Row::toString).sorted().toList());
        } finally {
          SparkSession.setActiveSession(session);
        }
      }
      assertEquals(answers.get(0), answers.get(1), query);
    }
  }

  private void compareRdds(
      List<String> queries, Map<String, String> partitions, UnaryOperator<Dataset<Row>> above) {
    for (Map<String, String> settings : List.of(OLD, NEW)) {
      SparkSession own = session(settings);
      partitions.forEach(own.conf()::set);
      SparkSession.setActiveSession(own); // Spark 3.5 takes the settings of an RDD from it
      try {
        for (String query : queries) {
          own.conf().set("spark.ariadne.enabled", "false");
          String expected = rowsOfRdd(own, query, above);
          own.conf().set("spark.ariadne.enabled", "true");
          assertEquals(expected, rowsOfRdd(own, query, above), () -> query + "\nwith " + settings);
        }
      } finally {
        SparkSession.setActiveSession(session);
      }
    }
  }

  /**
   * Returns the rows, or the root of the error; of an error of Spark 3.5's only that there is one,
   * as tasks raise errors by default settings there.
   */
  private static String rowsOfRdd(
      SparkSession own, String query, UnaryOperator<Dataset<Row>> above) {
    try {
      Row[] rows = (Row[]) above.apply(own.sql(query)).rdd().collect();
      return Arrays.stream(rows).map(Row::toString).sorted().toList().toString();
    } catch (Exception e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      boolean isOfDefaults = TestingSessions.isSpark35() && !(root instanceof EngineException);
      return isOfDefaults ? "an error" : root.toString();
    }
  }

  private SparkSession session(Map<String, String> settings) {
    SparkSession own = session.newSession();
    ForeignSettings.watch();
    for (String table : List.of("one", "small", "single")) {
      own.read().parquet(folder.resolve(table).toUri().toString()).createOrReplaceTempView(table);
    }
    settings.forEach((key, value) -> own.conf().set(key, value));
    return own;
  }

  private static List<String> outcomesOfSpark(SparkSession own) {
    own.conf().set("spark.ariadne.enabled", "false");
    List<String> outcomes =
        QUERIES.stream().map(query -> Outcome.of(own, query).toString()).toList();
    own.conf().set("spark.ariadne.enabled", "true");
    return outcomes;
  }

  private void compare(SparkSession own, List<String> expected) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < QUERIES.size() * ROUNDS; i++) {
      order.add(i % QUERIES.size());
    }
    Collections.shuffle(order, new Random(seed));
    for (int i : order) {
      Outcome actual = Outcome.of(own, QUERIES.get(i));
      assertEquals(expected.get(i), actual.toString(), QUERIES.get(i));
      assertFalse(
          ExecutedPlan.of(actual.plan()).nodes().isEmpty(),
          () -> "nothing ran on Ariadne: " + actual.plan());
    }
  }
}
