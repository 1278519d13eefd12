package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests limits and offsets: they return Spark's rows, and read no more input than these need. */
class LimitIT extends AbstractDifferentialIT {
  private static final Coverage LIMIT = Coverage.of("AriadneLimit");
  private static final int ROWS = 2_000_000;

  @BeforeAll
  void writeLongTable() {
    writeView(
        "long",
        session
            .range(0, ROWS, 1, 4)
            .selectExpr("id", "id % 1000 as k", "concat('row ', id) as s")
            .write()
            .option("parquet.block.size", 1 << 20));
  }

  private void check(String sql, Coverage claim) {
    for (String adaptive : List.of("true", "false")) {
      Map<String, String> settings = with(LEGACY, "spark.sql.adaptive.enabled", adaptive);
      differential.check(sql, settings, claim);
      differential.check(sql, with(settings, "spark.ariadne.disable", ""), claim);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from single limit 1",
        "select * from edge limit 17",
        "select id, i1 + 1, c1 from edge where i1 > 0 limit 400",
        "select * from edge limit 2999",
        "select * from edge limit 5000",
        "select * from single limit 100 offset 7",
        "select id, c1 from edge where l1 > 0 limit 33 offset 120",
        "select * from edge limit 10 offset 2995",
        "select * from edge limit 20 offset 3000",
        "select * from (select * from edge limit 900) limit 30 offset 5",
        "select 1 from (select g, count(*) n from edge group by g) where n > 2 limit 3",
        "select count(*) > 0 from long group by k limit 300",
        "select id, id % 7 from long where k = 13 limit 1500",
        "select id, s from long limit 40000 offset 70000",
      })
  void matchesSparkAtTheRoot(String sql) {
    check(sql, LIMIT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*), sum(id) from (select id from single where i1 > 0 limit 17)",
        "select count(*), sum(id) from (select id from single limit 17 offset 100)",
        "select count(*), sum(id) from (select id from single limit 100 offset 2950)",
        "select count(*) from (select id from edge limit 17)",
        "select count(*) from (select id from edge where i1 > 0 limit 17 offset 3)",
        "select count(*) from (select id from edge limit 10000 offset 3)",
        "select count(*) from (select * from edge limit 20 offset 2990)",
        "select count(*), min(n) > 0 from (select g, count(*) n from edge group by g limit 4)",
        "select count(*) from (select k, count(*) from long group by k limit 300 offset 900)",
        "select count(*), max(id) from (select * from long where k < 10 limit 7777)",
        "select a.id from single a where a.id in (select id from single limit 400)",
        "select id from (select id from single limit 30) union all select id from small limit 40",
      })
  void matchesSparkBelowOthers(String sql) {
    check(sql, LIMIT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*), max(id), min(id) from (select * from long order by k, id limit 200000)",
        "select count(*), sum(id) from (select * from long order by k, id limit 200000 offset 9)",
        "select id, k from long order by k desc, id limit 2000",
      })
  void matchesSparkAboveASort(String sql) {
    Map<String, String> settings =
        with(LEGACY, "spark.sql.execution.topKSortFallbackThreshold", "100");
    differential.check(sql, settings, Coverage.of("AriadneLimit", "AriadneSort"));
    differential.check(
        sql,
        with(settings, "spark.ariadne.disable", ""),
        Coverage.of("AriadneLimit", "AriadneSort"));
  }

  /**
   * Spark estimates that an offset alone has no rows, and adaptive execution dropped the
   * aggregation when the other side's stage ended first: Spark's own answers depend on that.
   */
  @Test
  void offsetBelowADistinctOneMatchesSpark() {
    session.conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
    session.conf().set("spark.ariadne.disable", "");
    try {
      String distinct =
          "(select id % 2 as z from edge order by z offset 1)"
              + " except (select id % 2 + 7 as z from empty)";
      Outcome outcome = Outcome.of(session, distinct);
      assertEquals(2, outcome.rows().size(), () -> outcome.toString());
      assertFalse(ExecutedPlan.of(outcome.plan()).named("AriadneLimit").isEmpty());
    } finally {
      session.conf().unset("spark.sql.autoBroadcastJoinThreshold");
      session.conf().unset("spark.ariadne.disable");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from edge limit 0",
        "select count(*) from (select * from edge limit 0)",
        "select * from edge limit 0 offset 10",
        "select * from empty limit 10",
        "select count(*) from (select * from empty limit 10 offset 3)",
        "select * from one limit 10",
        "select * from one limit 10 offset 1",
        "select * from edge offset 2990",
        "select * from edge offset 5000",
        "select count(*) from (select * from edge offset 2990)",
        "select id from edge order by id limit 10 offset 5000",
        "select id from edge order by id limit 3 offset 2",
        "select id, rand(5) r from single limit 20",
        "select id, monotonically_increasing_id() m from edge limit 1200",
        "select input_file_name() = '', count(*) from (select * from edge limit 10) group by 1",
        "select length(input_file_name()) from edge where i1 > 0 limit 1500",
      })
  void harmlessPlansMatchSpark(String sql) {
    for (String disabled : List.of("OnePartitionExec", "")) {
      differential.checkHarmless(sql, with(LEGACY, "spark.ariadne.disable", disabled));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'select * from long limit 10', 70000",
    "'select id, s from long limit 10 offset 50', 70000",
    "'select id + 1, s from long limit 100', 70000",
    "'select id from long where k >= 0 limit 1000', 70000",
    "'select count(*) from (select * from long limit 3000)', 280000",
  })
  void readsNoMoreThanItNeeds(String sql, long most) {
    Outcome outcome = differential.outcome(sql, LEGACY);
    ExecutedPlan plan = ExecutedPlan.of(outcome.plan());
    List<ExecutedPlan.Node> scans = plan.named("AriadneScan");
    assertEquals(1, scans.size(), outcome.plan()::toString);
    long rows = scans.get(0).metrics().get("numOutputRows");
    assertTrue(rows > 0 && rows <= most, () -> rows + " rows read\n" + outcome.plan());
  }

  @Test
  void oneTaskOpensOnlyTheFilesItNeeds() {
    String sql = "select count(*), max(id) from (select * from long limit 3000)";
    Map<String, String> settings = with(LEGACY, "spark.ariadne.disable", "");
    Outcome outcome = differential.outcome(sql, settings);
    ExecutedPlan plan = ExecutedPlan.of(outcome.plan());
    assertFalse(plan.sparkNodes().contains("Exchange"), outcome.plan()::toString);
    long rows = plan.named("AriadneScan").get(0).metrics().get("numOutputRows");
    assertTrue(rows <= 70_000, () -> rows + " rows read\n" + outcome.plan());
  }
}
