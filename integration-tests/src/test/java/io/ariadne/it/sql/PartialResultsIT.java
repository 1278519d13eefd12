package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.PartialResults;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.util.QueryExecutionListener;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests partial results against Spark: the result of each round over the files that the rounds have
 * read, and the last one over all files.
 */
class PartialResultsIT extends AbstractDifferentialIT {
  private static final int FILES = 12;

  /** One task per slot and round: two of twelve. */
  private static final int ROUNDS = 6;

  /** Where queries say what they read. */
  private static final String TABLE = "{t}";

  private static final String JOINED = "(select g k, count(*) n from small group by g)";

  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }

  /** The edge table in files, whose rows have the number of their file. */
  @BeforeAll
  void writeParts() {
    String path = folder.resolve("parts").toUri().toString();
    for (int part = 0; part < FILES; part++) {
      session
          .table("edge")
          .where("id % " + FILES + " = " + part)
          .selectExpr("*", part + " part")
          .coalesce(1)
          .write()
          .mode(SaveMode.Append)
          .parquet(path);
    }
    session.read().parquet(path).createOrReplaceTempView("parts");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select part, count(*) c from {t} group by part",
        "select g, count(*), count(i1), sum(i1), min(l1), max(l1), avg(i1) from {t} group by g",
        "select g, sum(n1), avg(n1), min(m1), max(h1), sum(m1), avg(m2) from {t} group by g",
        "select g, min(a1), max(t1), min(u1), bool_and(z1), bit_xor(l1) from {t} group by g",
        "select c1, min(c2), max(c2), count(*) from {t} group by c1",
        "select c1, c2, g, count(*) from {t} group by c1, c2, g",
        "select f1, count(*) from {t} group by f1",
        "select d1, count(d2), max(id) from {t} group by d1",
        "select n1, x1, count(*) from {t} group by n1, x1",
        "select a1, t1, u1, z1, count(*) from {t} group by a1, t1, u1, z1",
        "select count(*), sum(i1), max(c1), avg(n1) from {t}",
        "select count(*), sum(i1), max(c1) from {t} where id < 0",
        "select g, count(*) from {t} where id < 0 group by g",
        "select distinct g, z1 from {t}",
        "select g, count(distinct i1), sum(i2) from {t} group by g",
        "select count(distinct i1), count(distinct c1), count(*) from {t}",
        "select g, z1, count(*), sum(i1) from {t} group by cube (g, z1)",
        "select g, count(*) filter (where z1), sum(i1) filter (where i2 > 0) from {t} group by g",
        "select g, count(*) c from {t} group by g having count(*) > 40",
        "select g + 1, c * 2, concat(cast(g as string), 'x') from"
            + " (select g, count(*) c from {t} group by g)",
        "select c, count(*), sum(g) from (select g, part, count(*) c from {t} group by g, part)"
            + " group by c",
        "select g, c, rank() over (order by c, g) from"
            + " (select g, count(*) c from {t} group by g)",
        "select k, count(*), sum(i1) from (select i1, abs(i2 % 13) k from {t} where l1 > 0)"
            + " group by k",
        "select n, count(*) from {t} left join " + JOINED + " on g = k group by n",
        "select n, count(*) from {t} join " + JOINED + " on g < k group by n",
        "select g, count(*), sum(i1) from {t} where i1 > (select avg(i1) from small) group by g",
        "select p, count(*) from (select explode(array(part, part + 1)) p from {t}) group by p",
        "select g, approx_count_distinct(i1, 0.2) from {t} group by g"
      })
  void eachRoundIsExact(String sql) {
    check(sql, false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select g, count(*) c from {t} group by g order by g nulls last",
        "select c1, count(*) c from {t} group by c1 order by c desc, c1 limit 10",
        "select id, count(*) from {t} group by id order by id",
        "select id, count(*) from {t} group by id order by id limit 100 offset 7"
      })
  void orderIsThatOfTheQuery(String sql) {
    check(sql, true);
  }

  @Test
  void settingsOfTheSessionApply() {
    for (Map<String, String> settings : List.of(LEGACY, ANSI)) {
      settings.forEach(session.conf()::set);
      check("select g, sum(cast(s1 as bigint)), avg(b1), sum(i1 % 100) from {t} group by g", false);
    }
    session.conf().unset("spark.sql.ansi.enabled");
  }

  /** Rounding depends on how values are grouped, in Spark too. */
  @Test
  void floatingPointSumsDifferInLastDigits() {
    String sql = "select sum(d), avg(d) from (select id / 7 d from {t})";
    Row expected = spark(sql.replace(TABLE, "parts")).get(0);
    List<PartialResults.Round> rounds = rounds(sql.replace(TABLE, "parts"), 20);
    Row last = rounds.get(rounds.size() - 1).rows().get(0);
    assertEquals(expected.getDouble(0), last.getDouble(0), 1e-6);
    assertEquals(expected.getDouble(1), last.getDouble(1), 1e-9);
  }

  @Test
  void inputsOfFewOrNoPartitionsHaveFewRounds() {
    for (String table : List.of("empty", "one", "single", "(select * from edge where false)")) {
      for (String sql :
          List.of(
              "select count(*), sum(i1) from " + table, "select g from " + table + " group by g")) {
        List<PartialResults.Round> rounds = rounds(sql, 20);
        assertEquals(1, rounds.size(), sql);
        assertEquals(1, rounds.get(0).share());
        assertEquals(sorted(spark(sql)), sorted(rounds.get(0).rows()), sql);
      }
    }
  }

  @Test
  void inputsOtherThanFilesHaveShares() {
    String sql = "select id % 7, count(*), sum(id) from range(0, 10000, 1, 8) group by 1";
    List<PartialResults.Round> rounds = rounds(sql, 3);
    assertEquals(3, rounds.size());
    assertEquals(List.of(2 / 8.0, 5 / 8.0, 1.0), rounds.stream().map(r -> r.share()).toList());
    assertEquals(sorted(spark(sql)), sorted(rounds.get(2).rows()));
    session.table("edge").cache();
    String cached = "select g, count(*) from edge group by g";
    List<PartialResults.Round> ofCached = rounds(cached, 3);
    assertEquals(sorted(spark(cached)), sorted(ofCached.get(ofCached.size() - 1).rows()));
    session.catalog().clearCache();
  }

  /** Each round reads some files of both inputs. */
  @Test
  void unionsAreReadTogether() {
    String sql =
        "select t, g, count(*) from (select 0 t, g from parts union all"
            + " select 1, g from parts where z1) group by t, g";
    List<PartialResults.Round> rounds = rounds(sql, 20);
    assertEquals(2 * ROUNDS, rounds.size());
    assertEquals(sorted(spark(sql)), sorted(rounds.get(rounds.size() - 1).rows()));
  }

  @Test
  void roundsRunOnAriadne() throws TimeoutException {
    List<String> plans = new ArrayList<>();
    QueryExecutionListener listener =
        new QueryExecutionListener() {
          @Override
          public void onSuccess(String name, QueryExecution execution, long nanos) {
            plans.add(name + "\n" + execution.executedPlan());
          }

          @Override
          public void onFailure(String name, QueryExecution execution, Exception exception) {
            plans.add(name + " failed");
          }
        };
    session.listenerManager().register(listener);
    try {
      rounds("select g, count(*) from parts group by g", 3);
      session.sparkContext().listenerBus().waitUntilEmpty();
    } finally {
      session.listenerManager().unregister(listener);
    }
    assertEquals(3, plans.size(), plans::toString);
    for (String plan : plans) {
      assertTrue(plan.contains("partial result, round"), plan);
      assertTrue(plan.contains("AriadneHashAggregate") && plan.contains("RoundInput"), plan);
      assertFalse(plan.contains(" HashAggregate"), plan);
    }
  }

  /** Groups are combined once they are many, and the query's shuffles are gone afterwards. */
  @Test
  void manyGroupsAreCombined() {
    String sql =
        "select id % 200000 k, count(*) c, max(id) m from range(0, 2000000, 1, 24) group by 1";
    List<Row> expected = spark("select count(*), sum(c), max(m), sum(k) from (" + sql + ")");
    try (PartialResults results = PartialResults.of(session.sql(sql), 12)) {
      PartialResults.Round last = null;
      int mostOutputs = 0;
      while (results.hasNext()) {
        last = results.next();
        mostOutputs = Math.max(mostOutputs, MapOutputs.of(ProcessRuntime.get()).count());
      }
      assertTrue(mostOutputs > 0 && mostOutputs < 12, "outputs: " + mostOutputs);
      assertEquals(200000, last.rows().size());
      assertEquals(2000000, last.rows().stream().mapToLong(row -> row.getLong(1)).sum());
      assertEquals(
          expected.get(0).getLong(2),
          last.rows().stream().mapToLong(row -> row.getLong(2)).max().orElse(0));
    }
    assertEquals(0, MapOutputs.of(ProcessRuntime.get()).count());
  }

  @Test
  void unsupportedQueriesAreRefused() {
    refuse("select id from parts", "it does not aggregate");
    refuse("select rand() r, count(*) from parts group by 1", "not deterministic");
    refuse("select count(*) from parts where rand() < 0.5", "not deterministic");
    refuse("select g, first(i1) from parts group by g", "depends on the order of rows");
    refuse("select g, collect_list(i1) from parts group by g", "depends on the order of rows");
    refuse("select count(*) from (select * from parts limit 10)", "needs all rows");
    refuse("select count(*) from (select * from parts order by id limit 10)", "needs all rows");
    refuse(
        "select /*+ merge(b) */ count(*) from parts a join edge b on a.id = b.id",
        "needs all rows");
    refuse(
        "select count(*) from parts union all select count(*) from edge",
        "it aggregates several inputs");
    refuse("select count(*) from parts tablesample (50 percent)", "Sample below the aggregation");
    refuse(
        "select n, count(*) from (select row_number() over (order by id) n from parts) group by n",
        "Window below the aggregation");
    session.conf().set("spark.ariadne.enabled", "false");
    refuse("select count(*) from parts", "Ariadne is off");
    session.conf().set("spark.ariadne.enabled", "true");
    session.conf().set("spark.ariadne.disable", "HashAggregateExec");
    refuse("select count(*) from parts", "Spark runs its aggregation");
    session.conf().set("spark.ariadne.disable", "OnePartitionExec");
    Dataset<Row> stream = session.readStream().format("rate").load().groupBy("value").count();
    refuse(stream, "it reads a stream");
    assertThrows(
        IllegalArgumentException.class,
        () -> PartialResults.of(session.sql("select count(*) from parts"), 0));
  }

  private void refuse(String sql, String reason) {
    refuse(session.sql(sql), reason);
  }

  private static void refuse(Dataset<Row> query, String reason) {
    EngineException refusal =
        assertThrows(EngineException.class, () -> PartialResults.of(query, 20).close());
    assertEquals(ErrorCode.UNSUPPORTED, refusal.code());
    assertTrue(refusal.getMessage().contains(reason), refusal::getMessage);
    assertTrue(refusal.getMessage().contains("; "), refusal::getMessage);
  }

  @Test
  void endsAfterTheLastRound() {
    PartialResults results = PartialResults.of(session.sql("select count(*) from parts"), 2);
    results.next();
    assertTrue(results.next().isLast());
    assertFalse(results.hasNext());
    assertThrows(NoSuchElementException.class, results::next);
    results.close();
    assertThrows(IllegalStateException.class, results::next);
  }

  private void check(String sql, boolean isOrdered) {
    List<List<Integer>> parts = partsByRound();
    List<PartialResults.Round> rounds = rounds(sql.replace(TABLE, "parts"), 20);
    assertEquals(ROUNDS, rounds.size(), sql);
    double share = 0;
    for (PartialResults.Round round : rounds) {
      assertEquals(ROUNDS, round.count());
      assertTrue(round.share() > share && round.share() <= 1, () -> "share of " + round.number());
      share = round.share();
      String read =
          parts.get(round.number() - 1).stream()
              .map(String::valueOf)
              .collect(Collectors.joining(","));
      List<Row> expected =
          spark(sql.replace(TABLE, "(select * from parts where part in (" + read + "))"));
      assertEquals(
          isOrdered ? texts(expected) : sorted(expected),
          isOrdered ? texts(round.rows()) : sorted(round.rows()),
          () -> "round " + round.number() + " of " + sql);
    }
    assertEquals(1, share);
  }

  /** Returns the files that rounds have read, which are the same for all queries. */
  private List<List<Integer>> partsByRound() {
    return rounds("select distinct part from parts", 20).stream()
        .map(
            round ->
                List.copyOf(
                    new TreeSet<>(round.rows().stream().map(row -> row.getInt(0)).toList())))
        .toList();
  }

  private List<PartialResults.Round> rounds(String sql, int count) {
    List<PartialResults.Round> rounds = new ArrayList<>();
    try (PartialResults results = PartialResults.of(session.sql(sql), count)) {
      results.forEachRemaining(rounds::add);
    }
    return rounds;
  }

  private List<Row> spark(String sql) {
    session.conf().set("spark.ariadne.enabled", "false");
    List<Row> rows = session.sql(sql).collectAsList();
    session.conf().set("spark.ariadne.enabled", "true");
    return rows;
  }

  private static List<String> sorted(List<Row> rows) {
    return texts(rows).stream().sorted().toList();
  }

  private static List<String> texts(List<Row> rows) {
    return rows.stream().map(PartialResultsIT::text).toList();
  }

  private static String text(Row row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < row.length(); i++) {
      Object value = row.get(i);
      values.add(value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value));
    }
    return String.join(" | ", values);
  }
}
