package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.rules.ExecutedPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Unions in columns. Since Spark 4.1 the partitioning of a union over aggregates is that of its
 * children, and what is above has no exchange.
 */
class UnionIT extends AbstractDifferentialIT {
  private static final String[] QUERIES = {
    "select sum(c) from (select count(*) c from edge union all select count(*) c from small)",
    "select g, sum(c) from (select g, count(*) c from edge group by g union all"
        + " select g, max(i1) c from small group by g) group by g",
    "select g from edge group by g union select g from single group by g",
    "select g, i1 from edge group by g, i1 union select g, i1 from small group by g, i1",
  };

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void unionsOfAggregatesMatchSpark(String adaptive, String partitioned) {
    Map<String, String> settings =
        with(
            with(LEGACY, "spark.sql.adaptive.enabled", adaptive),
            "spark.sql.unionOutputPartitioning",
            partitioned);
    for (String query : QUERIES) {
      differential.check(query, settings, Coverage.of(Coverage.AGGREGATE));
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void onePartitionMatchesSpark(String adaptive) {
    Map<String, String> settings =
        with(with(LEGACY, "spark.sql.adaptive.enabled", adaptive), "spark.ariadne.disable", "");
    for (String query : QUERIES) {
      differential.check(query, settings, Coverage.of(Coverage.AGGREGATE));
    }
  }

  /** Rows are made at the root alone. */
  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void noRowsAroundUnionsMatchSpark(String adaptive, String partitioned) {
    Map<String, String> settings =
        with(
            with(LEGACY, "spark.sql.adaptive.enabled", adaptive),
            "spark.sql.unionOutputPartitioning",
            partitioned);
    checkColumns(
        "select g, sum(x), count(*) from (select g, i1 + 1 x from edge union all select g, i1 * 2"
            + " from small where id > 3 union all select g, null from edge where id < 9) group by"
            + " g",
        settings);
    checkColumns(
        "select g, sum(c) from (select g, count(*) c from edge group by g union all"
            + " select g, max(i1) c from small group by g) group by g",
        settings);
    checkColumns(
        "select e.g, u.x from edge e join (select id, i1 + 1 x from small union all"
            + " (select id, i1 - 1 from edge where id > 5 union all select id, 7 from small"
            + " where id % 2 = 0)) u on e.id = u.id",
        settings);
  }

  /** Spark 4.1 leaves out an exchange above a union of equal partitionings. */
  @Test
  void partitionsOverEachOtherMatchSpark() {
    Assumptions.assumeFalse(session.version().startsWith("3."));
    Map<String, String> settings =
        with(
            with(LEGACY, "spark.sql.adaptive.enabled", "false"),
            "spark.ariadne.disable",
            "OnePartitionExec");
    String sides =
        "select g, count(*) c from edge group by g union all"
            + " select g, max(i1) c from small group by g";
    String nested = "select g, sum(c) from (%s union all %s) group by g";
    checkExchanges(2, QUERIES[1], settings);
    checkExchanges(4, nested.formatted(sides, sides), settings);
  }

  /** Asks for no more exchanges than the aggregations below unions have. */
  private void checkExchanges(int expected, String sql, Map<String, String> settings) {
    ExecutedPlan plan = ExecutedPlan.of(differential.outcome(sql, settings).plan());
    assertFalse(plan.named("AriadneUnion").isEmpty(), plan::toString);
    assertEquals(expected, plan.named("AriadneShuffleExchange").size(), plan::toString);
  }

  private void checkColumns(String sql, Map<String, String> settings) {
    ExecutedPlan plan = ExecutedPlan.of(differential.outcome(sql, settings).plan());
    assertFalse(plan.named("AriadneUnion").isEmpty(), plan::toString);
    assertEquals(
        List.of(),
        plan.transitions().stream().filter(each -> !each.isResult()).toList(),
        plan::toString);
  }

  @Test
  void inputsOfRowsAndFilesMatchSpark() {
    differential.checkHarmless(
        "select g, count(*) from (select g from edge union all select * from values (1), (null))"
            + " group by g",
        LEGACY);
    differential.checkHarmless(
        "select input_file_name(), x from (select id + 1 x from edge union all select id * 3 from"
            + " small where i1 > 0)",
        LEGACY);
    differential.checkHarmless(
        "select spark_partition_id(), monotonically_increasing_id(), x from (select id + 1 x from"
            + " edge union all select id * 3 from small where i1 > 0)",
        LEGACY);
    differential.checkHarmless(
        "select sum(p), count(*) from (select spark_partition_id() p, id from edge union all"
            + " select spark_partition_id(), id from small)",
        LEGACY);
    differential.checkHarmless(
        "select * from (select id + 1 x from edge where i1 > 0 union all select 1 div (id - 40)"
            + " from range(100)) limit 7",
        with(ANSI, "spark.ariadne.disable", "OnePartitionExec,TransitionCost"));
  }
}
