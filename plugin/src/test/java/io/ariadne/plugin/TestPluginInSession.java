package io.ariadne.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.rules.ExecutedPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plugin as users switch it on, in a small session: what runs where, and the same answers. */
class TestPluginInSession {
  private static final String Q6 =
      "SELECT sum(price * discount) AS revenue FROM lineitem WHERE shipdate >= DATE'1994-01-01'"
          + " AND shipdate < DATE'1995-01-01' AND discount BETWEEN 0.05 AND 0.07"
          + " AND quantity < 24";

  private static SparkSession spark;

  @BeforeAll
  static void start(@TempDir Path folder) {
    spark = TestingSessions.builder().getOrCreate();
    String path = folder.resolve("lineitem").toString();
    spark
        .sql(
            "SELECT CAST(id % 50 AS DECIMAL(12,2)) AS quantity,"
                + " CAST(1000 + id * 1.37 AS DECIMAL(12,2)) AS price,"
                + " CAST((id % 11) / 100 AS DECIMAL(12,2)) AS discount,"
                + " date_add(DATE'1992-01-01', CAST(id % 2500 AS INT)) AS shipdate,"
                + " CASE id % 3 WHEN 0 THEN 'A' WHEN 1 THEN 'N' ELSE 'R' END AS flag,"
                + " CASE WHEN id % 7 > 0 THEN CAST(id AS INT) END AS n,"
                + " id FROM range(0, 100000, 1, 3)")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("lineitem");
  }

  @AfterAll
  static void stop() {
    spark.stop();
    assertFalse(ProcessRuntime.isStarted());
  }

  @AfterEach
  void assertNothingIsHeld() {
    assertEquals(0, ProcessRuntime.get().openFragmentCount());
    assertEquals(0, ProcessRuntime.get().pool().allocatedBytes());
  }

  @Test
  void q6RunsWhollyOnAriadne() {
    ExecutedPlan plan = assertSameAsSpark(Q6);
    assertEquals(1, plan.named("AriadneHashAggregate").size()); // in one task, all at once
    assertEquals(1, plan.named("AriadneFilter").size());
    assertEquals(Set.of(), plan.bridgedExpressions());
    assertTrue(
        plan.kernelExpressions()
            .containsAll(Set.of("Multiply", "GreaterThanOrEqual", "LessThan", "And")));
    plan.nodes().forEach(node -> assertTrue(node.hasRun(), node::toString));
  }

  @Test
  void groupedAggregatesMatchSpark() {
    ExecutedPlan plan =
        assertSameAsSpark(
            "SELECT flag, count(*), count(n), sum(n), min(shipdate), max(price), avg(quantity),"
                + " sum(quantity) FROM lineitem GROUP BY flag");
    assertEquals(2, plan.named("AriadneHashAggregate").size());
  }

  @Test
  void matchesSparkWithAndWithoutAdaptiveExecution() {
    String query = "SELECT n % 5 AS k, count(*) FROM lineitem WHERE n IS NOT NULL GROUP BY 1";
    for (String adaptive : List.of("true", "false")) {
      spark.conf().set("spark.sql.adaptive.enabled", adaptive);
      assertEquals(2, assertSameAsSpark(query).named("AriadneHashAggregate").size());
    }
    spark.conf().unset("spark.sql.adaptive.enabled");
  }

  @Test
  void userDefinedFunctionsGoThroughTheBridge() {
    UDF1<Integer, Integer> triple = x -> x == null ? null : x * 3;
    spark.udf().register("triple", triple, DataTypes.IntegerType);
    ExecutedPlan plan =
        assertSameAsSpark("SELECT flag, sum(triple(n)) FROM lineitem GROUP BY flag");
    assertTrue(plan.bridgedExpressions().contains("ScalaUDF"), plan::toString);
    assertEquals(2, plan.named("AriadneHashAggregate").size());
  }

  @Test
  void scalarSubqueryIsAConstant() {
    ExecutedPlan plan =
        assertSameAsSpark(
            "SELECT count(*), sum(n) FROM lineitem WHERE price > (SELECT avg(price) FROM lineitem)"
                + " AND id < 50000");
    assertTrue(plan.kernelExpressions().contains("ScalarSubquery"), plan::toString);
  }

  @Test
  void cachedTableIsReadableWhenSwitchedOff() {
    Dataset<Row> cached = spark.sql("SELECT flag, id * 2 AS d FROM lineitem WHERE n > 10").cache();
    cached.createOrReplaceTempView("cached");
    assertTrue(cached.count() > 0);
    ExecutedPlan plan = assertSameAsSpark("SELECT flag, sum(d) FROM cached GROUP BY flag");
    assertEquals(2, plan.named("AriadneHashAggregate").size());
    cached.unpersist(true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT sum(n + (100 div (id - 76))) AS q FROM lineitem WHERE n >= 0",
        "SELECT n + 2147480000 AS q FROM lineitem WHERE id = 50000",
        "SELECT CAST(id * 3 AS SMALLINT) AS q FROM lineitem WHERE id = 50000",
        "SELECT CAST(price AS DECIMAL(5, 2)) AS q FROM lineitem WHERE id = 50000",
        "SELECT CAST(price * 10000000 AS DECIMAL(10, 2)) AS q FROM lineitem WHERE id = 50000",
        "SELECT CASE WHEN id > 9 THEN 1 div (id - 76) ELSE 1 div id END AS q FROM lineitem"
            + " WHERE id > 0",
        "SELECT sum(id + 9223372036854000000) AS q FROM lineitem WHERE id > 5"
      })
  void ansiErrorIsSparksOwn(String query) {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    ExecutedPlan plan = ExecutedPlan.of(spark.sql(query).queryExecution().executedPlan());
    assertFalse(plan.nodes().isEmpty());
    assertEquals(Set.of(), plan.bridgedExpressions());
    String ours = failure(query);
    spark.conf().set("spark.ariadne.enabled", "false");
    String sparks = failure(query);
    spark.conf().set("spark.ariadne.enabled", "true");
    spark.conf().unset("spark.sql.adaptive.enabled");
    spark.conf().unset("spark.sql.ansi.enabled");
    assertEquals(sparks, ours);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, n + (100 div (id - 77)) AS q FROM lineitem WHERE id < 100",
        "SELECT id, (100 div (id - 77)) % n AS q FROM lineitem WHERE id < 100",
        "SELECT id, n < CAST(CASE WHEN n > 0 THEN '1' ELSE flag END AS INT) AS q FROM lineitem"
            + " WHERE id < 50000"
      })
  void secondOperandIsNotComputedBesideANull(String query) {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    ExecutedPlan plan = assertSameAsSpark(query);
    assertFalse(plan.nodes().isEmpty());
    spark.conf().unset("spark.sql.ansi.enabled");
  }

  @Test
  void castOfIntervalsDropsFields() {
    assertSameAsSpark(
        "SELECT CAST(make_ym_interval(0, n) AS INTERVAL YEAR) AS y,"
            + " CAST(make_dt_interval(0, n) AS INTERVAL DAY) AS d FROM lineitem WHERE n < 500");
    assertSameAsSpark(
        "SELECT CAST(i AS INTERVAL YEAR) AS y FROM"
            + " (SELECT make_ym_interval(0, max(n)) AS i FROM lineitem WHERE n < 500"
            + " GROUP BY flag)");
  }

  @Test
  void inputFileNameIsThatOfTheRow() {
    ExecutedPlan plan =
        assertSameAsSpark(
            "SELECT input_file_name(), count(*) FROM lineitem WHERE n > 5 GROUP BY 1");
    assertFalse(plan.named("AriadneScan").isEmpty());
  }

  @Test
  void limitEndsEarly() {
    assertEquals(
        3, spark.sql("SELECT id + n FROM lineitem WHERE n > 5 LIMIT 3").collectAsList().size());
  }

  @Test
  void writesComeFromAriadne(@TempDir Path folder) {
    String path = folder.resolve("written").toString();
    spark.sql("SELECT id, n + 1 AS m FROM lineitem WHERE n > 5").write().parquet(path);
    long expected = spark.sql("SELECT * FROM lineitem WHERE n > 5").count();
    assertEquals(expected, spark.read().parquet(path).count());
  }

  @Test
  void nothingRunsUnderAStatefulStreamingOperator(@TempDir Path folder) throws Exception {
    spark.sql("SELECT id, n FROM lineitem").write().parquet(folder.resolve("in").toString());
    StreamingQuery query =
        spark
            .readStream()
            .schema("id BIGINT, n INT")
            .parquet(folder.resolve("in").toString())
            .where("id > 10")
            .groupBy("n")
            .count()
            .writeStream()
            .format("memory")
            .queryName("counts")
            .outputMode("complete")
            .option("checkpointLocation", folder.resolve("checkpoint").toString())
            .trigger(Trigger.AvailableNow())
            .start();
    query.awaitTermination();
    ExecutedPlan plan = planOf(query);
    assertTrue(plan.sparkNodes().contains("StateStoreSave"), plan::toString);
    assertEquals(List.of(), plan.nodes());
    assertEquals(85706, spark.sql("SELECT * FROM counts").count());
  }

  /** Each row is to arrive before the next one is there, so none may wait for a batch. */
  @Test
  void continuousStreamStaysSparks(@TempDir Path folder) throws Exception {
    spark.conf().set("spark.ariadne.disable", "TransitionCost");
    StreamingQuery query =
        spark
            .readStream()
            .format("rate")
            .option("rowsPerSecond", "5")
            .option("numPartitions", "1") // its task never ends, and others need a core, too
            .load()
            .selectExpr("value + 1 AS v")
            .writeStream()
            .format("memory")
            .queryName("ticks")
            .option("checkpointLocation", folder.resolve("ticks").toString())
            .trigger(Trigger.Continuous("200 milliseconds"))
            .start();
    try {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (spark.sql("SELECT * FROM ticks").isEmpty()) {
        assertTrue(System.nanoTime() < deadline, "no row");
        Thread.sleep(100);
      }
      ExecutedPlan plan = planOf(query);
      assertTrue(plan.sparkNodes().contains("ContinuousScan"), plan::toString);
      assertEquals(List.of(), plan.nodes());
    } finally {
      query.stop();
      spark.conf().unset("spark.ariadne.disable");
    }
  }

  /** The wrapper's package differs between Spark lines. */
  private static ExecutedPlan planOf(StreamingQuery query) throws ReflectiveOperationException {
    Object stream = query.getClass().getMethod("streamingQuery").invoke(query);
    Object execution = stream.getClass().getMethod("lastExecution").invoke(stream);
    return ExecutedPlan.of(((QueryExecution) execution).executedPlan());
  }

  private static String failure(String query) {
    Exception e = assertThrows(Exception.class, () -> spark.sql(query).collectAsList());
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getClass().getName() + ": " + cause.getMessage();
  }

  private static ExecutedPlan assertSameAsSpark(String query) {
    Dataset<Row> ours = spark.sql(query);
    List<String> rows = sorted(ours);
    spark.conf().set("spark.ariadne.enabled", "false");
    List<String> expected = sorted(spark.sql(query));
    spark.conf().set("spark.ariadne.enabled", "true");
    assertEquals(expected, rows);
    return ExecutedPlan.of(ours.queryExecution().executedPlan());
  }

  private static List<String> sorted(Dataset<Row> query) {
    return query.collectAsList().stream().map(Row::toString).sorted().toList();
  }
}
