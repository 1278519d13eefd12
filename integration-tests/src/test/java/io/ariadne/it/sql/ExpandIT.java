package io.ariadne.it.sql;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rollups, cubes and grouping sets against Spark. */
class ExpandIT extends AbstractDifferentialIT {
  private static final String EXPAND = "AriadneExpand";

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void groupingSetsMatchSpark(String adaptive) {
    for (String sql :
        List.of(
            "select g, z1, count(*), sum(i1) from edge group by rollup (g, z1)",
            "select c1, a1, h1, count(l1) from edge group by cube (c1, a1, h1)",
            "select x1, d1, grouping_id(), max(t1) from edge"
                + " group by grouping sets ((x1, d1), (x1), (d1), ())",
            "select g, c1, grouping(g), grouping(c1), sum(g) from edge"
                + " where id % 2 = 0 group by g, c1 grouping sets ((g), (c1), (g, c1))",
            "select id % 5, m1, count(*) from small group by rollup (id % 5, m1)")) {
      differential.check(
          sql,
          with(LEGACY, "spark.sql.adaptive.enabled", adaptive),
          Coverage.of(EXPAND, Coverage.AGGREGATE));
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void distinctAggregatesMatchSpark(String adaptive) {
    for (String sql :
        List.of(
            "select count(distinct i1), count(distinct c1), sum(l1) from edge",
            "select g, count(distinct c1), count(distinct x1), min(d1) from edge group by g")) {
      differential.check(
          sql,
          with(LEGACY, "spark.sql.adaptive.enabled", adaptive),
          Coverage.of(EXPAND, Coverage.AGGREGATE));
    }
  }
}
