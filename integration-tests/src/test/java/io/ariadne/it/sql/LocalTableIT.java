package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests rows in the plan: lists of values, Datasets of lists, and empty tables. */
class LocalTableIT extends AbstractDifferentialIT {
  private static final String NAME = "AriadneLocalTable";

  /** Also without the rule by which Spark computes projections of such rows when it plans. */
  private static final Map<String, String> ANY_COST =
      with(
          with(LEGACY, "spark.ariadne.disable", "OnePartitionExec,TransitionCost"),
          "spark.sql.optimizer.excludedRules",
          "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation");

  @BeforeAll
  void makeLists() {
    for (String table : List.of("single", "one", "empty")) {
      Dataset<Row> read = session.table(table);
      session
          .createDataFrame(read.collectAsList(), read.schema())
          .createOrReplaceTempView("local_" + table);
    }
  }

  private static Map<String, String> adaptive(Map<String, String> settings, String value) {
    return with(settings, "spark.sql.adaptive.enabled", value);
  }

  /** All types, in Spark's partitions and order. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "3", "4000"})
  void rowsAndTheirPartitionsMatchSpark(String parallelism) {
    Map<String, String> settings =
        with(ANY_COST, "spark.sql.leafNodeDefaultParallelism", parallelism);
    for (String table : List.of("local_single", "local_one")) {
      differential.check(
          "select *, spark_partition_id() p, monotonically_increasing_id() m from " + table,
          settings,
          Coverage.of(NAME, Coverage.PROJECT)
              .bridged("SparkPartitionID", "MonotonicallyIncreasingID"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void aggregationsMatchSpark(String adaptive) {
    Coverage grouped = Coverage.of(NAME, Coverage.AGGREGATE, "AriadneShuffleExchange");
    Map<String, String> settings = adaptive(LEGACY, adaptive);
    differential.check(
        "select g, count(*), sum(i1), max(c1), min(d1) from local_single group by g",
        settings,
        grouped);
    differential.check(
        "select a, count(*), sum(b) from values (1, 2), (1, null), (null, 4), (3, 4) v(a, b)"
            + " group by a",
        settings,
        grouped);
    differential.check(
        "select count(*), sum(b), max(a) from values (1, 2), (1, null), (null, 4) v(a, b)",
        settings,
        grouped);
    differential.checkHarmless("select count(*), sum(i1) from local_empty", settings);
    differential.checkHarmless("select g, sum(i1) from local_empty group by g", settings);
  }

  /** A list beside columns does not make rows of them. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void unionsMatchSpark(String adaptive) {
    Map<String, String> settings = adaptive(LEGACY, adaptive);
    String values = "select * from values (1, 'a', 1.5D), (null, null, null) v(i1, c1, d1)";
    String columns = "select i1 + 1 i1, c1, d1 from edge where i1 > 0";
    for (String sql :
        List.of(
            values + " union all " + columns,
            columns + " union all " + values + " union all " + values,
            "select i1, count(*), max(c1) from (%s union all %s) group by i1"
                .formatted(columns, values))) {
      Outcome outcome = differential.outcome(sql, settings);
      VacuityGate.require(Coverage.of(NAME, Coverage.FILTER), sql, outcome);
      ExecutedPlan plan = ExecutedPlan.of(outcome.plan());
      assertEquals(1, plan.named("AriadneUnion").size(), outcome.plan()::toString);
      assertTrue(
          plan.transitions().stream().allMatch(ExecutedPlan.Transition::isResult),
          outcome.plan()::toString);
    }
    differential.checkHarmless(values + " union all " + values, settings);
    differential.checkHarmless(
        "select * from (%s) union all select i1, c1, d1 from local_empty".formatted(columns),
        settings);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void joinsMatchSpark(String adaptive) {
    Map<String, String> settings = adaptive(LEGACY, adaptive);
    String values = "(select * from values (1, 'a'), (2, null), (null, 'c'), (7, 'd') v(k, t))";
    Coverage broadcast = Coverage.of(NAME, "AriadneHashJoin", BroadcastIT.NAME);
    differential.check(
        "select /*+ broadcast(v) */ e.id, t from edge e join %s v on e.g = v.k".formatted(values),
        settings,
        broadcast);
    differential.check(
        "select /*+ broadcast(v) */ e.id, t from edge e left join %s v on e.i1 < v.k"
            .formatted(values),
        settings,
        broadcast);
    differential.check(
        "select /*+ broadcast(e) */ v.k, e.id from %s v left join small e on e.g = v.k"
            .formatted(values),
        settings,
        Coverage.of(NAME, "AriadneHashJoin"));
    differential.check(
        "select /*+ broadcast(v) */ e.id, k, t from small e full join %s v on e.id < v.k"
            .formatted(values),
        settings,
        broadcast);
    for (String kind : List.of("join", "left join", "left anti join")) {
      differential.checkHarmless(
          "select /*+ broadcast(v) */ e.id from edge e %s local_empty v on e.g = v.g"
              .formatted(kind),
          settings);
    }
  }

  /** Adaptive execution finds a broadcast side empty and knows the rest without it. */
  @Test
  void inputsThatAdaptiveExecutionFindsEmptyMatchSpark() {
    String join =
        "select /*+ broadcast(a) */ a.id x, b.id y from (select id, g from edge where id < -1) a"
            + " join edge b on a.g = b.g";
    differential.checkHarmless(
        join + " union all select i1, g from edge where g > 1", adaptive(ANY_COST, "true"));
    Outcome outcome =
        differential.outcome(
            "select count(*), max(x) from (%s)".formatted(join), adaptive(ANY_COST, "true"));
    if (session.version().startsWith("4.")) {
      assertEquals(1, ExecutedPlan.of(outcome.plan()).named(NAME).size(), outcome.plan()::toString);
      assertTrue(outcome.plan().toString().contains("EmptyRelation"), outcome.plan()::toString);
    }
  }

  /** Spark answers these without a job, and so it does with the plugin. */
  @Test
  void localTablesAloneStayWithSpark() {
    for (String sql :
        List.of(
            "select * from local_single",
            "select * from local_single limit 7",
            "select * from local_empty",
            "select * from values (1, 2), (3, 4)")) {
      Outcome outcome = differential.outcome(sql, LEGACY);
      assertEquals(List.of(), ExecutedPlan.of(outcome.plan()).nodes(), sql);
    }
    Outcome outcome = differential.outcome("select * from local_single", ANY_COST);
    assertEquals(List.of(), ExecutedPlan.of(outcome.plan()).nodes());
  }

  /** The first of them are those that Spark takes. */
  @Test
  void limitsMatchSpark() {
    differential.checkHarmless(
        "select i1 + id, monotonically_increasing_id() from local_single limit 9", ANY_COST);
    differential.checkHarmless("select g, i1 from local_single order by id limit 9", ANY_COST);
  }
}
