package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.ExecutedPlan;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests range exchanges between Ariadne's scans and sorts. The rows are in the same places as
 * Spark's, and stay columnar. The last key is the unique {@code id}, so that there is one right
 * order.
 */
class RangeExchangeIT extends AbstractDifferentialIT {
  private static final String EXCHANGE = "AriadneShuffleExchange";
  private static final Coverage SORT = Coverage.of("AriadneSort", EXCHANGE);

  private static final List<String> COLUMNS =
      List.of(
          "z1", "b1", "s1", "i1", "l1", "f1", "d1", "n1", "m1", "h1", "a1", "t1", "u1", "c1", "x1");

  private static final List<String> DIRECTIONS =
      List.of("asc nulls first", "desc nulls last", "asc nulls last", "desc nulls first");

  /** What of Spark may be around: what moves no rows, and broadcasts. */
  private static final Set<String> AROUND =
      Set.of(
          "AdaptiveSparkPlan",
          "ResultQueryStage",
          "ShuffleQueryStage",
          "AQEShuffleRead",
          "BroadcastQueryStage",
          "BroadcastExchange");

  /** Shuffle files and spilled data are encrypted here. */
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.io.encryption.enabled", "true");
  }

  /** Enough rows for every partition to have some, half of them with one key. */
  @BeforeAll
  void writeSkewed() {
    writeView(
        "skewed",
        session
            .range(0, 60_000, 1, 3)
            .selectExpr(
                "id",
                "if(id % 2 = 0, 'most of them have this one', concat('key ', hash(id))) k",
                "cast(null as int) n",
                "if(id < 50000, id, 7) f")
            .write());
  }

  private static Map<String, String> settings(String adaptive, String partitions) {
    return with(
        with(LEGACY, "spark.sql.adaptive.enabled", adaptive),
        "spark.sql.shuffle.partitions",
        partitions);
  }

  /**
   * Compares rows of a table and their order.
   *
   * @param order that of the rows, in which no two are equal
   */
  private void check(String table, String order, Map<String, String> settings) {
    differential.check("select * from %s order by %s".formatted(table, order), settings, SORT);
    String sql = "select id from %s order by %s".formatted(table, order);
    Outcome ours = run(sql, settings, "true");
    assertEquals(run(sql, settings, "false").ids(), ours.ids(), sql);
    ExecutedPlan plan = ExecutedPlan.of(ours.plan());
    assertTrue(
        plan.named(EXCHANGE).stream().anyMatch(ExecutedPlan.Node::hasRun), ours.plan()::toString);
    assertTrue(
        plan.sparkNodes().stream().allMatch(AROUND::contains), () -> plan + "\n" + ours.plan());
  }

  private record Outcome(List<Long> ids, SparkPlan plan) {}

  /** Runs a query that the driver collects, without a comparison. */
  private Outcome run(String sql, Map<String, String> settings, String enabled) {
    settings.forEach((key, value) -> session.conf().set(key, value));
    session.conf().set("spark.ariadne.enabled", enabled);
    try {
      Dataset<Row> rows = session.sql(sql);
      List<Long> ids = rows.collectAsList().stream().map(row -> row.getLong(0)).toList();
      return new Outcome(ids, rows.queryExecution().executedPlan());
    } finally {
      session.conf().unset("spark.ariadne.enabled");
      settings.keySet().forEach(session.conf()::unset);
      super.settings().forEach((key, value) -> session.conf().set(key, value));
    }
  }

  /** Alternates adaptive execution. */
  @Test
  void everyTypeMatchesSpark() {
    int next = 0;
    for (String column : COLUMNS) {
      String direction = DIRECTIONS.get(next % DIRECTIONS.size());
      Map<String, String> settings =
          next++ % 2 == 0 ? settings("true", "8") : settings("false", "3");
      check("edge", column + " " + direction + ", id", settings);
    }
  }

  @ParameterizedTest
  @CsvSource({"true,1", "true,200", "false,3", "false,40"})
  void severalKeysMatchSpark(String adaptive, String partitions) {
    for (String order :
        List.of(
            "g, c1 desc nulls last, id",
            "d1 desc, f1, id desc",
            "length(c1), i1 + 1 desc nulls last, id",
            "struct(h1, c1) desc, x1, id")) {
      check("edge", order, settings(adaptive, partitions));
    }
  }

  @ParameterizedTest
  @CsvSource({"true,8", "false,30"})
  void keysThatMostRowsShareMatchSpark(String adaptive, String partitions) {
    Map<String, String> settings = settings(adaptive, partitions);
    for (String order : List.of("k, id", "k desc, id", "n, id", "f, id desc")) {
      check("skewed", order, settings);
    }
    for (String key : List.of("n", "k", "f")) {
      differential.check("select %s from skewed order by %<s".formatted(key), settings, SORT);
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void noRowsMatchSpark(String adaptive) {
    Map<String, String> settings = settings(adaptive, "8");
    differential.checkHarmless("select * from empty order by c1, id", settings);
    differential.checkHarmless("select id from edge where id < 0 order by i1", settings);
    differential.checkHarmless("select * from one order by c1, id", settings);
  }

  /** What a shuffle below has brought is read for the sample and once more. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void groupsAndPairs(String adaptive) {
    Map<String, String> settings = settings(adaptive, "5");
    check("(select max(id) id, f, count(*) c from skewed group by f)", "c, f desc", settings);
    check("(select a.id, b.c1 from skewed a join edge b on a.f = b.id)", "c1 desc, id", settings);
  }

  /** Equal keys are together, and the partitions follow one another. */
  @Test
  void rowsOfExchangesAreInSparksPartitions() {
    Map<String, String> settings =
        with(settings("true", "8"), "spark.sql.adaptive.coalescePartitions.enabled", "false");
    String placed =
        "(select spark_partition_id() p, k, f from (select /*+ REPARTITION_BY_RANGE(8, k, f) */"
            + " id, k, f from skewed))";
    Coverage places = Coverage.of(EXCHANGE).bridged("SparkPartitionID");
    String scattered =
        "select count(*) from (select k, f from %s group by k, f having min(p) < max(p))";
    differential.check(scattered.formatted(placed), settings, places);
    String overlapping =
        "select count(*) from (select min(struct(k, f)) low, lag(max(struct(k, f))) over"
            + " (order by p) before from %s group by p) where low <= before";
    differential.check(overlapping.formatted(placed), settings, places.bridged("Min", "Max"));
    long used =
        session.sql("select count(distinct p) from " + placed).collectAsList().get(0).getLong(0);
    assertEquals(8, used);
  }

  /** A partition whose sample is too small for its rows is sampled once more. */
  @Test
  void oneLargePartitionMatchesSpark() {
    Map<String, String> settings =
        with(
            settings("false", "50"),
            "spark.sql.execution.rangeExchange.sampleSizePerPartition",
            "2");
    String even = "(select /*+ REPARTITION(12, id) */ id, k, f from skewed)";
    String uneven = "(select /*+ REPARTITION(12, k) */ id, k, f from skewed)";
    check(even, "k, f, id", settings);
    check(uneven, "k, f, id", settings);
    String sql = "select id from %s order by k, f, id";
    assertEquals(
        1 + jobs(sql.formatted(even), settings),
        jobs(sql.formatted(uneven), settings),
        "jobs of the uneven one");
  }

  /** What is read twice is planned once: the scan says of its files what Spark's says. */
  @Test
  void scanIsPlannedOnce() {
    Map<String, String> settings = settings("false", "4");
    String sql = "select id from skewed order by k, id";
    List<Long> files = fileCounts(run(sql, settings, "false").plan());
    assertEquals(List.of(3L), files);
    assertEquals(files, fileCounts(run(sql, settings, "true").plan()));
  }

  private static List<Long> fileCounts(SparkPlan plan) {
    return ScalaCollections.<SparkPlan>list(plan.collectLeaves()).stream()
        .filter(FileSourceScanExec.class::isInstance)
        .map(scan -> scan.longMetric("numFiles").value())
        .toList();
  }

  /** Runs a query and returns how many jobs it took. */
  private int jobs(String sql, Map<String, String> settings) {
    session.sparkContext().setJobGroup(sql, sql, false);
    run(sql, settings, "true");
    session.sparkContext().clearJobGroup();
    return session.sparkContext().statusTracker().getJobIdsForGroup(sql).length;
  }
}
