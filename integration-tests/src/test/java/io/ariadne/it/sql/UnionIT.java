package io.ariadne.it.sql;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Unions over aggregates of ours: since Spark 4.1 their partitioning is that of their children, and
 * what is above has no exchange.
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
  void testUnionsOfAggregates(String adaptive, String partitioned) {
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
  void testOnePartition(String adaptive) {
    Map<String, String> settings =
        with(with(LEGACY, "spark.sql.adaptive.enabled", adaptive), "spark.ariadne.disable", "");
    for (String query : QUERIES) {
      differential.check(query, settings, Coverage.of(Coverage.AGGREGATE));
    }
  }
}
