package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests plans whose exchanges are removed because they move few rows, and plans that keep their
 * exchanges.
 */
class OnePartitionIT extends AbstractDifferentialIT {
  private static final String ONE_PARTITION = "AriadneOnePartition";
  private static final Pattern SHUFFLE = Pattern.compile("(?<!Broadcast)Exchange ");
  private static final Coverage ONE_FRAGMENT = Coverage.of(Coverage.AGGREGATE, ONE_PARTITION);

  @Override
  Map<String, String> settings() {
    return LEGACY;
  }

  @BeforeAll
  void registerFunction() {
    UDF1<Integer, Integer> same = value -> value;
    session.udf().register("same", same, DataTypes.IntegerType);
  }

  /** More bytes than an exchange is left out for because it is small. */
  @BeforeAll
  void writeLargeFiles(@TempDir Path folder) throws IOException {
    Path files = folder.resolve("large");
    session
        .range(0, 1_000_000, 1, 3)
        .selectExpr("hash(id, 1) % 60000 as k", "id % 100003 as v", "uuid() as s")
        .write()
        .parquet(files.toUri().toString());
    try (Stream<Path> written = Files.list(files)) {
      assertTrue(written.mapToLong(file -> file.toFile().length()).sum() > 5 << 20);
    }
    session.read().parquet(files.toUri().toString()).createOrReplaceTempView("large");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select sum(l1), count(*), min(i2), max(a1), sum(n1) from edge",
        "select sum(i1) from edge where i1 > 5 and i2 < 100",
        "select g, sum(m1), count(*) from edge group by g order by g",
        "select g, b1, sum(i1) from edge where z1 group by g, b1 having count(*) > 1 order by g,"
            + " b1",
        "select c1, max(i1) from small group by c1 order by c1",
        "select g, sum(i1) from empty group by g order by g",
        "select g, count(distinct s1) from edge group by g order by g",
        "select count(distinct g, z1), sum(i1) from edge",
        "select t, count(*) from (select g, sum(s1) t from edge group by g) group by t order by t",
        "select g, sum(i1) from edge group by rollup(g) order by g",
      })
  void aggregationsMatchSpark(String sql) {
    differential.check(sql, LEGACY, ONE_FRAGMENT);
    assertNoExchange(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"select sum(i1), count(i1), max(t2) from empty", "select count(*) from empty"})
  void aggregationsOfNothingMatchSpark(String sql) {
    differential.check(sql, LEGACY, Coverage.of(Coverage.AGGREGATE));
    assertNoExchange(sql);
    assertTrue(plan(sql).contains(ONE_PARTITION), () -> plan(sql));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select g, sum(i1) s from edge group by g order by s desc, g",
        "select id, i1 from edge order by i1, id",
        "select e.g, count(*) from edge e join small s on e.g = s.g group by e.g order by 1",
        "select i1 from edge where l1 > (select min(l2) from edge) order by i1",
      })
  void plansWithNodesOfSparkMatchSpark(String sql) {
    differential.checkHarmless(sql, LEGACY);
    assertNoExchange(sql);
  }

  /** The exchange below a window is left out; that above it stays. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, row_number() over (partition by g order by id) from edge order by id",
        "select id, sum(i2) over (partition by g order by id) from edge where z1 order by id",
      })
  void windowsMatchSpark(String sql) {
    differential.checkHarmless(sql, LEGACY);
    assertFalse(plan(sql).contains("hashpartitioning"), () -> plan(sql));
  }

  /** The left side of the join is small, the right one is not: both keep their exchange. */
  @Test
  void joinOfSmallAndLargeMatchesSpark() {
    Map<String, String> settings = with(LEGACY, "spark.sql.autoBroadcastJoinThreshold", "-1");
    String sql =
        "select count(*), sum(r.id) from (select g, count(*) n from edge group by g) s"
            + " join (select id, id % 5 as h from range(100000)) r on s.g = r.h";
    differential.checkHarmless(sql, settings);
    String outer =
        "select count(*), sum(n) from edge e full join"
            + " (select g, count(*) n from edge group by g) s on e.i1 = s.g";
    differential.checkHarmless(outer, settings);
  }

  @Test
  void orderIsKept() {
    List<Row> rows = session.sql("select id from edge order by id desc").collectAsList();
    assertEquals(3000, rows.size());
    for (int i = 1; i < rows.size(); i++) {
      assertTrue(rows.get(i - 1).getLong(0) > rows.get(i).getLong(0), "row " + i);
    }
  }

  /** The scan stays with Spark and has three partitions: the guard puts them together. */
  @ParameterizedTest
  @ValueSource(strings = {"FileSourceScanExec", "HashAggregateExec", "FileSourceScanExec,Sum"})
  void partsThatStayWithSparkMatchSpark(String disabled) {
    Map<String, String> settings = with(LEGACY, "spark.ariadne.disable", disabled);
    differential.checkHarmless("select g, sum(i1) from edge group by g", settings);
    differential.checkHarmless("select sum(i1), count(*) from edge where i2 > 0", settings);
    differential.checkHarmless("select sum(i1), count(*) from empty", settings);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select g, count(*) from (select g, rand(1) r from edge) where r >= 0 group by g",
        "select g, sum(same(i1)) from edge group by g",
        "select f, count(*) from (select input_file_name() f from edge) group by f",
        "select /*+ REPARTITION(3) */ g from edge",
        "select g, sum(d1) from edge group by g",
        "select g, collect_list(i1) from edge group by g",
        "select e.id from edge e full join small s on e.id = s.id",
        "select e.id, n from edge e full join (select g, count(*) n from edge group by g) s"
            + " on e.i1 = s.g",
        "select g, avg(l1) from edge group by g",
        "select sum(h1) from edge",
        "select g, sum(i1) from edge group by g",
        "select distinct g from edge union all select distinct b1 from edge",
        "select sum(cast(m1 as decimal(29, 4))) from edge",
      })
  void exchangesThatStay(String sql) {
    int kept = shuffles(sql);
    assertTrue(kept > 0, () -> plan(sql));
    assertEquals(shufflesOfSpark(sql), kept, () -> plan(sql));
  }

  /** All groups of large files in one task, and what our nodes make of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*), sum(t), max(c) from (select k, sum(v) t, count(*) c from large group by"
            + " k)",
        "select count(*), min(c), max(t) from (select k % 10, count(*) c, min(t) t from"
            + " (select k, sum(v) t from large group by k) group by k % 10)",
        "select count(*) from (select distinct k, v % 3 from large)",
        "select sum(v), count(distinct k) from large",
      })
  void groupsOfLargeFiles(String sql) {
    differential.check(sql, LEGACY, ONE_FRAGMENT);
    assertFalse(plan(sql).contains("hashpartitioning"), () -> plan(sql));
    assertFalse(plan(sql).contains("(partial_"), () -> plan(sql));
  }

  /**
   * An exchange by ranges takes a sample before: the files would be read twice if the one below did
   * not stay. Few groups are sorted in one task then, also of aggregates that are not exact.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k % 10, count(*), min(t) from (select k, sum(v) t from large group by k)"
            + " group by k % 10 order by 1",
        "select k % 100, count(distinct v % 7), max(v) from large group by k % 100 order by 1",
        "select count(*) filter (where v % 2 = 0) c, avg(cast(v as decimal(20, 2))) from large"
            + " group by k % 100 order by c, 2",
        "select k % 10, sum(cast(v as decimal(38, 6))), avg(v) from large group by k % 10"
            + " order by 1",
      })
  void sortedGroupsOfLargeFiles(String sql) {
    differential.check(sql, LEGACY, Coverage.of(Coverage.AGGREGATE));
    assertTrue(plan(sql).contains("hashpartitioning"), () -> plan(sql));
    assertFalse(plan(sql).contains("rangepartitioning"), () -> plan(sql));
  }

  @Test
  void manySortedGroupsOfLargeFiles() {
    String sql = "select k, s, sum(v) t from large where v > 10 group by k, s order by k, s";
    differential.check(sql, LEGACY, Coverage.of(Coverage.AGGREGATE));
    assertTrue(plan(sql).contains("hashpartitioning"), () -> plan(sql));
    assertTrue(plan(sql).contains("rangepartitioning"), () -> plan(sql));
  }

  /** Nodes of Spark's have to work through the groups, in as many tasks as there are. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, row_number() over (partition by k order by t) from"
            + " (select k, sum(v) t from large group by k) order by k",
        "select k, sum(v) t from large group by k",
        "select k, sum(cast(v as double)) t from large group by k order by k",
        "select k, sum(same(cast(v as int))) t from large group by k order by k",
      })
  void groupsOfLargeFilesInPartitions(String sql) {
    differential.checkHarmless(sql, LEGACY);
    assertTrue(plan(sql).contains("hashpartitioning"), () -> plan(sql));
  }

  /** The driver collects all rows: one task sorts them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, v, s from large where v % 8 = 1 order by k, s",
        "select s, v + 1 from large where v < 9999 order by v desc, s",
      })
  void sortsOfLargeFilesUseOnePartition(String sql) {
    assertNoExchange(sql);
    assertTrue(plan(sql).contains(ONE_PARTITION), () -> plan(sql));
    List<Row> sorted = session.sql(sql).collectAsList();
    session.conf().set("spark.ariadne.enabled", "false");
    try {
      assertEquals(session.sql(sql).collectAsList(), sorted);
    } finally {
      session.conf().unset("spark.ariadne.enabled");
    }
    String explained = session.sql("explain " + sql).collectAsList().get(0).getString(0);
    assertFalse(explained.contains("rangepartitioning"), explained);
  }

  @Test
  void keepsExchangesWhenDisabled() {
    String sql = "select sum(i1) from edge";
    assertEquals(1, shufflesOfSpark(sql));
    assertNoExchange(sql);
  }

  /** Returns the exchanges, broadcasts aside, of a plan. */
  private int shuffles(String sql) {
    Matcher shuffle = SHUFFLE.matcher(plan(sql));
    int count = 0;
    while (shuffle.find()) {
      count++;
    }
    return count;
  }

  /** Returns how many there are when none is left out. */
  private int shufflesOfSpark(String sql) {
    session.conf().set("spark.ariadne.disable", "OnePartitionExec");
    try {
      return shuffles(sql);
    } finally {
      session.conf().unset("spark.ariadne.disable");
    }
  }

  private void assertNoExchange(String sql) {
    String plan = plan(sql).replaceAll("BroadcastExchange", "");
    assertFalse(plan.contains("Exchange"), plan);
  }

  private String plan(String sql) {
    var dataset = session.sql(sql);
    dataset.collectAsList();
    String plan = dataset.queryExecution().executedPlan().toString();
    int initial = plan.indexOf("+- == Initial Plan ==");
    return initial < 0 ? plan : plan.substring(0, initial);
  }
}
