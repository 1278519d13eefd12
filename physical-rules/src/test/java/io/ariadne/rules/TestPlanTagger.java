package io.ariadne.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.node.AriadneCollectedResultExec;
import io.ariadne.rules.exec.AriadneImportExec;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.physical.IdentityBroadcastMode$;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.RowToColumnarExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.joins.BaseJoinExec;
import org.apache.spark.sql.execution.window.WindowExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes are tagged with reasons, groups are weighed, and only what passed is converted. */
class TestPlanTagger {
  private static volatile RulesConfig config = RulesConfig.DEFAULT;
  private static SparkSession spark;

  @BeforeAll
  static void start(@TempDir Path folder) {
    spark = TestingSession.start(() -> config);
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    String path = folder.resolve("t").toString();
    spark.sql("SELECT id AS k, id * 2 AS v, array(id) AS a FROM range(100)").write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void convertsFilterOverVectorizedScan() {
    PlanTag filter = first(tag("SELECT v FROM t WHERE k > 3 AND v < 9"), FilterExec.class);
    assertTrue(filter.converts(), () -> filter.reasons().toString());
  }

  @Test
  void leavesFilterOverRowsToSpark() {
    PlanTag filter = first(tag("SELECT id FROM range(9) WHERE id % 2 = 1"), FilterExec.class);
    assertFalse(filter.converts());
    assertTrue(filter.reasons().get(0).startsWith("not worth the conversions: gain 1 does not"));
  }

  @Test
  void convertsBothHalvesOfAnAggregation() {
    PlanTag root = tag("SELECT k % 3, sum(v) FROM t GROUP BY k % 3");
    List<PlanTag> halves =
        root.all().filter(tag -> tag.plan() instanceof HashAggregateExec).toList();
    assertEquals(2, halves.size());
    halves.forEach(tag -> assertTrue(tag.converts(), () -> PlanExplanation.describe(root)));
    assertEquals("completes an aggregation begun on Ariadne", halves.get(0).costNote());
  }

  @Test
  void convertsExchangeWithItsInput() {
    PlanTag columns =
        first(
            tag("SELECT /*+ REPARTITION(3, k) */ k, v FROM t WHERE k > 3"),
            ShuffleExchangeExec.class);
    assertTrue(columns.converts(), columns.reasons()::toString);
    PlanTag rows =
        first(tag("SELECT /*+ REPARTITION(3, id) */ id FROM range(9)"), ShuffleExchangeExec.class);
    assertEquals(List.of("its input comes in rows"), rows.reasons());
    PlanTag isRoundRobin =
        first(tag("SELECT /*+ REPARTITION(3) */ k FROM t WHERE k > 3"), ShuffleExchangeExec.class);
    assertTrue(isRoundRobin.converts(), isRoundRobin.reasons()::toString);
    PlanTag ranges =
        first(
            tag("SELECT /*+ REPARTITION_BY_RANGE(3, k, a) */ k, a FROM t WHERE k > 3"),
            ShuffleExchangeExec.class);
    assertTrue(ranges.converts(), ranges.reasons()::toString);
  }

  @Test
  void roundRobinNeedsRowsWithDifferentHashes() {
    String sql = "SELECT /*+ REPARTITION(3) */ k, a FROM t WHERE k > 3";
    PlanTag nested = first(tag(sql), ShuffleExchangeExec.class);
    assertEquals(
        List.of(
            "rows with the column a, which is ARRAY<BIGINT>, cannot be told apart by their hashes"),
        nested.reasons());
    spark.conf().set("spark.sql.execution.sortBeforeRepartition", "false");
    try {
      PlanTag unsorted = first(tag(sql.replace(", a", "")), ShuffleExchangeExec.class);
      assertEquals(
          List.of("rows are to be dealt out in the order in which they come"), unsorted.reasons());
    } finally {
      spark.conf().unset("spark.sql.execution.sortBeforeRepartition");
    }
  }

  @Test
  void namesColumnOfUnsupportedType() {
    Dataset<Row> intervals = spark.sql("SELECT k, make_interval(k) AS i FROM t");
    spark
        .createDataFrame(intervals.javaRDD(), intervals.schema())
        .createOrReplaceTempView("intervals");
    PlanTag filter = first(tag("SELECT i FROM intervals WHERE k > 3"), FilterExec.class);
    assertFalse(filter.converts());
    assertTrue(filter.reasons().get(0).contains("has type INTERVAL"), filter.reasons()::toString);
  }

  @Test
  void passesNestedColumns() {
    PlanTag filter = first(tag("SELECT a FROM t WHERE k > 3"), FilterExec.class);
    assertTrue(filter.converts(), filter.reasons()::toString);
  }

  @Test
  void leavesProjectionThatMayRaiseBelowLimitToSpark() {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    try {
      PlanTag project = first(tag("SELECT 10 / v FROM t LIMIT 3"), ProjectExec.class);
      assertEquals(
          List.of("it may raise for rows that CollectLimit does not ask for"), project.reasons());
      PlanTag filter = first(tag("SELECT v FROM t WHERE 10 / v > 1 LIMIT 3"), FilterExec.class);
      assertFalse(filter.converts());
      PlanTag harmless = first(tag("SELECT v > 3 FROM t LIMIT 3"), ProjectExec.class);
      assertTrue(harmless.converts(), harmless.reasons()::toString);
      PlanTag sorted =
          first(tag("SELECT 10 / v AS q, k FROM t SORT BY k LIMIT 3"), ProjectExec.class);
      assertTrue(sorted.converts(), sorted.reasons()::toString);
    } finally {
      spark.conf().unset("spark.sql.ansi.enabled");
    }
  }

  @Test
  void convertsSortMergeJoinWhoseOrderIsNotUsed() {
    String join = "t a JOIN t b ON a.k = b.k";
    PlanTag ordered = first(tag("SELECT /*+ merge(b) */ a.v FROM " + join), BaseJoinExec.class);
    assertEquals(List.of("its order may be needed above"), ordered.reasons());
    PlanTag counted =
        first(
            tag("SELECT /*+ merge(b) */ a.v, count(*) FROM " + join + " GROUP BY a.v"),
            BaseJoinExec.class);
    assertTrue(counted.converts(), counted.reasons()::toString);
    PlanTag hashed =
        first(tag("SELECT /*+ shuffle_hash(b) */ a.v FROM " + join), BaseJoinExec.class);
    assertTrue(hashed.converts(), hashed.reasons()::toString);
  }

  @Test
  void leavesJoinsToSparkWhereRowPositionsAreVisible() {
    String joined = " FROM t a JOIN t b ON a.k = b.k";
    for (String sql :
        List.of(
            "SELECT sum(m) FROM (SELECT monotonically_increasing_id() m, a.v" + joined + ")",
            "SELECT sum(v) FROM (SELECT a.v" + joined + ") WHERE rand(3) > 0.5")) {
      PlanTag join = first(tag(sql), BaseJoinExec.class);
      assertEquals(List.of("its order may be needed above"), join.reasons(), sql);
    }
    for (String aggregate : List.of("sum(a.v / 2)", "collect_list(a.v)", "first(a.v)")) {
      PlanTag join = first(tag("SELECT " + aggregate + joined), BaseJoinExec.class);
      assertTrue(join.converts(), () -> aggregate + ": " + join.reasons());
    }
    PlanTag limited = first(tag("SELECT a.v" + joined + " LIMIT 5"), BaseJoinExec.class);
    assertTrue(limited.converts(), limited.reasons()::toString);
  }

  @Test
  void leavesProjectionThatMayRaiseBelowJoinToSpark() {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    try {
      String join =
          "SELECT /*+ broadcast(b) */ a.q FROM (SELECT k, 10 / v AS q FROM t) a JOIN t b ON ";
      PlanTag behind = tag(join + "a.k = b.v");
      behind.all().forEach(tag -> assertTrue(tag.converts() || !isJoinOrProject(tag)));
      PlanTag read = tag(join + "a.k = b.v AND a.q < b.k");
      read.all().forEach(tag -> assertFalse(isJoinOrProject(tag) && tag.converts()));
      PlanTag outer =
          first(tag(join.replace("JOIN", "FULL JOIN") + "a.k = b.v"), BaseJoinExec.class);
      assertFalse(outer.converts());
    } finally {
      spark.conf().unset("spark.sql.ansi.enabled");
    }
  }

  private static boolean isJoinOrProject(PlanTag tag) {
    return tag.plan() instanceof BaseJoinExec
        || (tag.plan() instanceof ProjectExec project
            && project.projectList().toString().contains("/"));
  }

  @Test
  void namesDisabledOperator() {
    SparkPlan plan = sparkPlan("SELECT v FROM t WHERE k > 3");
    PlanTag filter = first(new PlanTagger(Set.of("FilterExec")).tag(plan), FilterExec.class);
    assertEquals(List.of("FilterExec is disabled"), filter.reasons());
  }

  @Test
  void namesNodesWithoutRule() {
    PlanTag root = tag("SELECT v, row_number() OVER (ORDER BY v) FROM t");
    PlanTag window = first(root, WindowExec.class);
    assertEquals(List.of("no operator for WindowExec"), window.reasons());
  }

  @Test
  void executedPlanHasAriadneNodesThatReadRows() {
    ExecutedPlan scan = executed("SELECT v FROM t WHERE k > 3");
    assertEquals(1, scan.named("AriadneFilter").size());
    assertEquals(Set.of(), scan.bridgedExpressions());
    assertTrue(scan.kernelExpressions().contains("GreaterThan"));
    SparkPlan plan =
        spark.sql("SELECT k % 3, sum(v) FROM t GROUP BY k % 3").queryExecution().executedPlan();
    assertFalse(plan.toString().contains(RowToColumnarExec.class.getSimpleName()));
    assertFalse(plan.toString().contains("RowToColumnar"), plan::toString);
    assertTrue(plan.toString().contains("AriadneImport"), plan::toString);
    assertTrue(AriadneImportExec.reasonAgainst(plan).isEmpty());
  }

  @Test
  void equalAggregationsShareExchange() {
    String half = "SELECT k % 3 AS m, sum(v) AS s, count(*) FROM t WHERE k > 3 GROUP BY k % 3";
    SparkPlan plan = spark.sql(half + " UNION ALL " + half).queryExecution().executedPlan();
    assertTrue(plan.toString().contains("ReusedExchange"), plan::toString);
    assertTrue(plan.toString().contains("AriadneHashAggregate"), plan::toString);
  }

  @Test
  void copiesKeepArgumentsAndTags() {
    SparkPlan plan = spark.sql("SELECT sum(v) FROM t WHERE k > 3").queryExecution().executedPlan();
    SparkPlan copy = plan.clone();
    assertEquals(plan, copy);
    assertEquals(plan.hashCode(), copy.hashCode());
    assertTrue(plan.sameResult(copy));
  }

  @Test
  void leavesPlanToSparkWhenPlanningFails() {
    SparkPlan broken =
        new FilterExec(Literal.TrueLiteral(), new TestingBrokenExec(sparkPlan("SELECT 1")));
    AriadneColumnarRule lenient = new AriadneColumnarRule(() -> RulesConfig.DEFAULT);
    assertSame(broken, lenient.preColumnarTransitions().apply(broken));
    assertSame(broken, lenient.preColumnarTransitions().apply(broken));
    RulesConfig strict =
        new RulesConfig(true, ExplainMode.NONE, Set.of(), OptionalLong.empty(), true);
    AriadneColumnarRule rethrowing = new AriadneColumnarRule(() -> strict);
    assertThrows(
        UnsupportedOperationException.class,
        () -> rethrowing.preColumnarTransitions().apply(broken));
  }

  @Test
  void disabledSessionPlansAsSpark() {
    config = new RulesConfig(false, ExplainMode.NONE, Set.of(), OptionalLong.empty(), true);
    try {
      assertEquals(List.of(), executed("SELECT v FROM t WHERE k > 3").nodes());
    } finally {
      config = RulesConfig.DEFAULT;
    }
  }

  @Test
  void planTextNamesBridgedExpressions() {
    SparkPlan plan =
        spark
            .sql("SELECT k + length(soundex(CAST(v AS STRING))) FROM t WHERE k > 3")
            .queryExecution()
            .executedPlan();
    assertTrue(plan.toString().contains("bridged: [soundex(cast(v"), plan::toString);
  }

  @Test
  void explanationMarksNodesAndGivesReasons() {
    String text =
        PlanExplanation.explain(
            sparkPlan(
                "SELECT soundex(CAST(v AS STRING)), row_number() OVER (ORDER BY v) FROM t"
                    + " WHERE k > 3"),
            Set.of());
    assertTrue(text.contains("* Filter"), text);
    assertTrue(text.contains("! no operator for WindowExec"), text);
    assertTrue(text.contains("@ bridged: soundex("), text);
  }

  /** A broadcast that Spark reads as an array converts only if its reader is in a visible plan. */
  @Test
  void leavesBroadcastForUnknownReadersToSpark() {
    String sql = "SELECT /*+ BROADCAST(b) */ a.v FROM t a JOIN t b ON a.k < b.v";
    SparkPlan executed = spark.sql(sql).queryExecution().executedPlan();
    assertEquals(1, ExecutedPlan.of(executed).named("AriadneBroadcastExchange").size());
    BroadcastExchangeExec broadcast =
        new BroadcastExchangeExec(
            IdentityBroadcastMode$.MODULE$, sparkPlan("SELECT k FROM t WHERE k > 3"));
    assertEquals(
        List.of("the reader of the broadcast is not known"),
        new PlanTagger(Set.of()).tag(broadcast).reasons());
    new AdaptiveExchanges().apply(broadcast);
    assertTrue(new PlanTagger(Set.of()).tag(broadcast).converts());
  }

  /** Nodes of Spark's get an array of what may be ours, if only by reuse; finished plans stay. */
  @Test
  void wrapsReadersOfRows() {
    String sql = "SELECT /*+ BROADCAST(b) */ a.v FROM t a JOIN t b ON a.k < b.v";
    config =
        new RulesConfig(
            true,
            ExplainMode.NONE,
            Set.of("BroadcastNestedLoopJoinExec"),
            OptionalLong.empty(),
            true);
    try {
      assertTrue(
          spark.sql(sql).queryExecution().executedPlan().toString().contains("BroadcastRows"));
      config =
          new RulesConfig(
              false,
              ExplainMode.NONE,
              Set.of("BroadcastNestedLoopJoinExec"),
              OptionalLong.empty(),
              true);
      assertFalse(
          spark.sql(sql).queryExecution().executedPlan().toString().contains("BroadcastRows"));
    } finally {
      config = RulesConfig.DEFAULT;
    }
    SparkPlan ours = spark.sql(sql).queryExecution().executedPlan();
    assertFalse(ours.toString().contains("BroadcastRows"), ours::toString);
  }

  @Test
  void convertsLocalTablesBesideColumns() {
    String values = "SELECT * FROM VALUES (1L, 2L), (3L, 4L) v(k, v)";
    PlanTag alone = first(tag(values), LocalTableScanExec.class);
    assertEquals(List.of("the driver has its rows"), alone.reasons());
    PlanTag limited = first(tag(values + " LIMIT 1"), LocalTableScanExec.class);
    assertFalse(limited.converts());
    String columns = "SELECT k, v FROM t WHERE k > 3";
    PlanTag beside = tag(values + " UNION ALL " + columns);
    assertTrue(beside.all().allMatch(PlanTag::converts), () -> PlanExplanation.describe(beside));
    PlanTag rows = tag(values + " UNION ALL SELECT id, id FROM range(9)");
    assertTrue(rows.all().noneMatch(PlanTag::converts), () -> PlanExplanation.describe(rows));
    PlanTag counted = tag("SELECT k, count(*) FROM (" + values + ") GROUP BY k");
    assertTrue(first(counted, LocalTableScanExec.class).converts());
  }

  /**
   * In local mode such a join needs no statistics. The input of one task is below a coalesce, and
   * the root hides the one partition where no node does.
   */
  @Test
  void computesFullNestedLoopJoinsInOneTask() {
    String loop = "SELECT /*+ BROADCAST(b) */ a.v x, b.v y FROM t a FULL JOIN t b ON a.k < b.v";
    String groups = "SELECT x, count(y) FROM (" + loop + ") GROUP BY x";
    ExecutedPlan plan = executed(groups);
    assertEquals(1, plan.named("AriadneHashJoin").size(), plan::toString);
    assertEquals(1, plan.named("AriadneCoalesce").size(), plan::toString);
    SparkPlan hidden = spark.sql(groups).queryExecution().executedPlan();
    assertFalse(hidden.toString().contains("AriadneCollectedResult"), hidden::toString);
    SparkPlan collected = spark.sql(loop).queryExecution().executedPlan();
    assertInstanceOf(AriadneCollectedResultExec.class, collected, collected::toString);
    ExecutedPlan ofSums = executed("SELECT avg(y) FROM (" + loop + ")");
    assertEquals(0, ofSums.named("AriadneHashJoin").size(), ofSums::toString);
  }

  /** All threads would join, but one thread reads the output of Spark's window. */
  @Test
  void oneThreadReadsFewRowsForOneTask() {
    String sql =
        "SELECT n, count(y) FROM (SELECT /*+ BROADCAST(b) */ n, b.v y FROM (SELECT id,"
            + " row_number() OVER (ORDER BY id) n FROM range(%d)) a FULL JOIN t b ON a.id < b.v)"
            + " GROUP BY n";
    assertEquals(1, executed(sql.formatted(1000)).named("AriadneHashJoin").size());
    assertEquals(0, executed(sql.formatted(1_000_000)).named("AriadneHashJoin").size());
  }

  private static ExecutedPlan executed(String sql) {
    return ExecutedPlan.of(spark.sql(sql).queryExecution().executedPlan());
  }

  private static SparkPlan sparkPlan(String sql) {
    return spark.sql(sql).queryExecution().sparkPlan();
  }

  private static PlanTag tag(String sql) {
    return new PlanTagger(Set.of()).tag(sparkPlan(sql));
  }

  private static PlanTag first(PlanTag root, Class<?> nodeClass) {
    return root.all().filter(tag -> nodeClass.isInstance(tag.plan())).findFirst().orElseThrow();
  }
}
