package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.rules.ExecutedPlan;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests aggregates without a kernel: Spark's own functions over Ariadne's groups, in every mode and
 * grouping. Results equal Spark's bit for bit, because rows keep their order.
 */
class BridgedAggregateIT extends AbstractDifferentialIT {
  private static final Pattern SPARKS = Pattern.compile("\\b(Hash|Sort|ObjectHash)Aggregate");
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

  /** Spark sorts, and so changes the order of rows, when there are many groups. */
  private static final Map<String, String> BY_HASH =
      with(LEGACY, "spark.sql.objectHashAggregate.sortBased.fallbackThreshold", "100000");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "min(c1), max(c1), min(x1), max(x2)",
        "first(i1), last(l1), any_value(m1), first(d1, true), last(t1, true)",
        "bit_and(i1), bit_or(l1), bit_xor(b1)",
        "bool_and(z1), bool_or(z2), every(z1), some(z2), count_if(i1 > 0)",
        "stddev(i1), stddev_pop(b1), variance(s1), var_pop(n1)",
        "corr(i1, s1), covar_pop(b1, s1), covar_samp(i1, i2)",
        "regr_count(i1, i2), regr_slope(b1, s1), regr_r2(b1, s1), regr_avgx(i1, i2)",
        "skewness(b1), kurtosis(s1)",
        "max_by(c1, id), min_by(l1, id), max_by(id, id)",
        "percentile(b1, 0.5), approx_percentile(i1, 0.9), approx_count_distinct(c1), median(s1)",
        "sort_array(collect_list(b1)), sort_array(collect_set(c1)), size(collect_list(d1))",
        "mode(z1), count(c1), sum(i1), min(c2)",
        "min(c1) filter (where i1 > 0), max(x1) filter (where z1)",
        "first(i1) filter (where z1), stddev(i1) filter (where z2), count(*) filter (where z1)",
        "histogram_numeric(b1, 4), sum(n1)",
      })
  void everyModeMatchesSpark(String aggregates) {
    for (String grouping : List.of("", "g", "c1, z1", "id % 997", "d1")) {
      check("single", aggregates, grouping, BY_HASH);
    }
    check("single", aggregates, "g", with(BY_HASH, ADAPTIVE, "false"));
    for (String ansi : List.of("true", "false")) {
      check("small", aggregates, "g", with(BY_HASH, "spark.sql.ansi.enabled", ansi));
      check("one", aggregates, "", Map.of("spark.sql.ansi.enabled", ansi));
      check("empty", aggregates, "", Map.of("spark.sql.ansi.enabled", ansi));
    }
  }

  /** Of several files the order of what is exchanged is chance, so only exact ones are compared. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "min(c1), max(c1), min(x1), max(x2), count(*)",
        "bit_and(i1), bit_or(l1), bit_xor(b1)",
        "max_by(c1, id), approx_count_distinct(c1), sort_array(collect_set(c1))",
        "percentile(b1, 0.5), median(s1)",
      })
  void severalPartitionsMatchSpark(String aggregates) {
    for (String grouping : List.of("", "g", "c1, z1", "id % 997")) {
      for (String adaptive : List.of("true", "false")) {
        check("edge", aggregates, grouping, with(BY_HASH, ADAPTIVE, adaptive));
      }
    }
  }

  @Test
  void stringsInTheOrderOfRowsMatchSpark() {
    for (String adaptive : List.of("true", "false")) {
      check(
          "single",
          "first(c1), last(x1, true), any_value(c2), collect_list(c1)",
          "",
          with(LEGACY, ADAPTIVE, adaptive));
    }
  }

  @Test
  void orderThatASortLeftMatchesSpark() {
    Map<String, String> settings = with(BY_HASH, "spark.sql.shuffle.partitions", "1");
    check("edge", "min(c1), first(g)", "g", settings);
    differential.checkHarmless(
        "select /*+ merge(b) */ a.g, m, n from (select g, min(c1) as m from edge group by g) a join"
            + " (select g, max(c2) as n from edge group by g) b on a.g = b.g",
        with(settings, "spark.sql.autoBroadcastJoinThreshold", "-1"));
    differential.checkHarmless(
        "select g, m, row_number() over (partition by g order by m) from (select g, min(c1) as m"
            + " from edge group by g)",
        settings);
  }

  /** Also where Spark would sort; only what does not depend on the order of rows is compared. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "min(c1), max(x1), max_by(c1, id)",
        "sort_array(collect_list(i1)), sort_array(collect_set(c1))",
        "percentile(b1, 0.5), median(s1), approx_count_distinct(c1)",
      })
  void objectsOfManyGroups(String aggregates) {
    for (String grouping : List.of("g", "c1, z1", "id")) {
      checkAllOfIt("single", aggregates, grouping, LEGACY);
      checkAllOfIt("edge", aggregates, grouping, LEGACY);
    }
  }

  @Test
  void errorsAreSparks() {
    differential.checkHarmless(
        "select first(i1 / 0), min(c1) from small", Map.of("spark.sql.ansi.enabled", "true"));
    differential.checkHarmless(
        "select g, max(i1 / (b1 - b1)), min(c1) from small group by g",
        with(BY_HASH, "spark.sql.ansi.enabled", "true"));
  }

  @Test
  void distinctBesideOthersMatchesSpark() {
    check("edge", "count(distinct i1), bit_and(b1), bit_xor(s1)", "g", BY_HASH);
    for (Map<String, String> settings : List.of(BY_HASH, LEGACY)) {
      checkAllOfIt(
          "edge", "count(distinct i1), count(distinct c1), sum(b1), min(c2)", "g", settings);
      checkAllOfIt(
          "edge", "count(distinct i1), sum(distinct l1), max(c1), min(x2)", "c2", settings);
      checkAllOfIt("edge", "count(distinct i1), count(distinct c1), max(c2)", "", settings);
    }
    differential.checkHarmless(
        "select count(distinct z1) filter (where i1 > 0), count(l1) from edge", LEGACY);
  }

  private void checkAllOfIt(
      String table, String aggregates, String grouping, Map<String, String> settings) {
    Outcome outcome = check(table, aggregates, grouping, settings);
    String executed = outcome.plan().toString().split("== Initial Plan ==")[0];
    assertFalse(SPARKS.matcher(executed).find(), () -> "partly Spark's\n" + executed);
  }

  private Outcome check(
      String table, String aggregates, String grouping, Map<String, String> settings) {
    String sql =
        grouping.isEmpty()
            ? "select %s from %s".formatted(aggregates, table)
            : "select %1$s, %2$s from %3$s group by %1$s".formatted(grouping, aggregates, table);
    Outcome outcome = differential.outcome(sql, settings);
    List<ExecutedPlan.Node> ran =
        ExecutedPlan.of(outcome.plan()).nodes().stream()
            .filter(node -> node.name().equals(Coverage.AGGREGATE))
            .toList();
    assertFalse(ran.isEmpty(), () -> sql + "\n" + outcome.plan());
    return outcome;
  }
}
