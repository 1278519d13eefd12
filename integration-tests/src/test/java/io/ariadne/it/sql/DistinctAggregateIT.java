package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.rules.ExecutedPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares aggregates of distinct values with Spark: three or four consecutive aggregations, which
 * merge the buffers of some functions while they aggregate values of others.
 */
class DistinctAggregateIT extends AbstractDifferentialIT {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "count(distinct i1)",
        "count(distinct c1)",
        "count(distinct d1)",
        "count(distinct i1, c1)",
        "count(distinct n1), sum(n2), min(a1)",
        "sum(distinct b1), count(*), max(m1)",
        "avg(distinct m1), avg(m2), count(distinct m1)",
        "count(distinct z1) filter (where i1 > 0), count(l1)",
        "count(distinct z1), count(l1) filter (where i1 > 0)",
        "sum(distinct l1), sum(l1)",
      })
  void oneDistinctColumnMatchesSpark(String aggregates) {
    for (String grouping : List.of("", "g", "c1, z1", "id % 997")) {
      String keys = grouping.isEmpty() ? "" : " group by " + grouping;
      for (String adaptive : List.of("true", "false")) {
        check("select %s from edge%s".formatted(aggregates, keys), adaptive);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"empty,true", "one,true", "small,false"})
  void fewRowsMatchSpark(String table, String adaptive) {
    check("select count(distinct i1), sum(b1), min(t1) from " + table, adaptive);
    if (!table.equals("empty")) { // of which adaptive execution leaves nothing to do
      check("select g, count(distinct i1), sum(b1) from %s group by g".formatted(table), adaptive);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " group by g", " group by id % 501"})
  void severalDistinctColumnsMatchSpark(String keys) {
    for (String adaptive : List.of("true", "false")) {
      check("select count(distinct i1), count(distinct c1) from edge" + keys, adaptive);
      check(
          "select count(distinct i1), sum(distinct b1) filter (where z1) from edge" + keys,
          adaptive);
      check("select count(distinct i1), count(distinct c1), sum(l1) from edge" + keys, adaptive);
    }
  }

  /** Compares, and requires that no aggregation was left to Spark. */
  private void check(String sql, String adaptive) {
    Map<String, String> settings = with(LEGACY, "spark.sql.adaptive.enabled", adaptive);
    Outcome outcome = differential.outcome(sql, settings);
    VacuityGate.require(claim(outcome), sql, outcome);
    List<String> left =
        ExecutedPlan.of(outcome.plan()).sparkNodes().stream()
            .filter(node -> node.contains("Aggregate"))
            .toList();
    assertEquals(List.of(), left, () -> sql + "\n" + outcome.plan());
  }

  /** Claims the node; which expressions are bridged is not the matter of these tests. */
  private static Coverage claim(Outcome outcome) {
    String[] bridged =
        ExecutedPlan.of(outcome.plan()).nodes().stream()
            .flatMap(node -> node.bridgedExpressions().stream())
            .distinct()
            .toArray(String[]::new);
    return Coverage.of(Coverage.AGGREGATE).bridged(bridged);
  }
}
