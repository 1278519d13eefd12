package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Aggregates that overflow under ANSI, wherever in an aggregation that is found: the error's
 * condition, parameters and query context are Spark's.
 */
class AggregateErrorsIT extends AbstractDifferentialIT {
  /** In group 1 the sum of {@code h} overflows, in group 2 those of the others. */
  @BeforeAll
  void writeLargeNumbers() {
    writeView(
        "written",
        session
            .range(0, 600, 1, 1)
            .selectExpr(
                "id",
                "cast(id % 3 as int) as g",
                "concat('k', id % 4) as s",
                "cast(if(id % 3 = 1, 8, 0) as decimal(1)) * cast(1e27 as decimal(28)) + cast(id as"
                    + " decimal(9,2)) as h",
                "if(id = 7, cast(5e37 as decimal(38)), null) as b",
                "if(id % 3 = 2, 9223372036854775807, id) as l",
                "make_dt_interval(if(id % 3 = 2, 106751990, 1)) as i",
                "make_ym_interval(if(id % 3 = 2, 178956970, 1)) as y")
            .write());
    session
        .table("written")
        .selectExpr("id", "g", "s", "cast(h as decimal(38, 10)) as h", "b", "l", "i", "y")
        .createOrReplaceTempView("large");
  }

  /** The last one overflows where the average is computed, from a sum that does not. */
  @ParameterizedTest
  @ValueSource(
      strings = {"sum(h)", "avg(h)", "sum(l)", "sum(i)", "avg(i)", "sum(y)", "avg(y)", "avg(b)"})
  void groupingsMatchSpark(String aggregate) {
    check("select %s from large".formatted(aggregate));
    check("select g, %s from large group by g".formatted(aggregate));
    check("select s, g, count(*), %s, min(h) from large group by s, g".formatted(aggregate));
    check("select %s from large group by format_string('%%s', g)".formatted(aggregate));
    check("select g, %s from large group by g having count(*) > 1".formatted(aggregate));
  }

  /** The aggregate is one of several, or its argument is not computed by a kernel. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum(h), stddev(id)",
        "collect_set(s), avg(h)",
        "avg(b), percentile(id, 0.5)",
        "count(distinct s), sum(h)",
        "sum(distinct h)",
        "avg(distinct b), count(distinct s)",
        "sum(h) filter (where id >= 0), sum(id) filter (where id < 5)",
        "avg(b) filter (where s <> 'x'), avg(id)",
        "sum(cast(format_string('%s', l) as bigint))",
        "avg(cast(format_string('%s', b) as decimal(38)))",
        "sum(h) + 1",
        "coalesce(avg(b), 0), sum(g)",
      })
  void matchesSparkBesideOthers(String aggregates) {
    check("select " + aggregates + " from large");
    check("select g, " + aggregates + " from large group by g");
    check("select initcap(s), " + aggregates + " from large group by initcap(s)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sum(h)", "avg(h)", "avg(b)"})
  void groupingSetsMatchSpark(String aggregate) {
    check("select g, s, %s from large group by cube(g, s)".formatted(aggregate));
  }

  /** Both ways through an aggregation: with an exchange in its midst, and within one task. */
  private void check(String sql) {
    for (String disabled : new String[] {"OnePartitionExec", ""}) {
      Map<String, String> settings = with(ANSI, "spark.ariadne.disable", disabled);
      Outcome outcome = differential.outcome(sql, settings);
      assertNotNull(outcome.error(), sql);
      VacuityGate.requireNode(Coverage.AGGREGATE, sql, outcome);
    }
  }
}
