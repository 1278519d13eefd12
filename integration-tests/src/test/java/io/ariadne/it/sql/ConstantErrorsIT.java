package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests invalid constant arguments. Spark finds them on its driver when it generates code, so users
 * catch another exception than that of a failed job.
 */
class ConstantErrorsIT extends AbstractDifferentialIT {
  @BeforeAll
  void writeStrings() {
    writeView(
        "strings",
        session
            .range(0, 100, 1, 1)
            .selectExpr("id", "id % 7 as g", "concat('2024-01-', 10 + id % 20) as s")
            .write());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s like 'm%@ca' escape '%'",
        "s like '2024%' escape '%'",
        "s like all ('2024\\\\a', '%')",
        "regexp_replace(s, '(', 'x')",
        "regexp_extract(s, '[', 1)",
        "to_date(s, 'yyyy-dd-aa')",
        "to_timestamp(s, 'yyyy-bb-dd')",
        "unix_timestamp(s, 'yyyy-MM-dd aa')",
        "to_unix_timestamp(s, 'yyyy-MM-dd bb')",
        "date_format(s, 'yyyy-bb')",
        "from_unixtime(id, 'yyyy-bb')",
        "date_format(s, 'LLLLLLL')",
        "next_day(s, 'noday')",
        "from_utc_timestamp(s, 'No/Where')",
        "trunc(s, 'nounit')",
      })
  void constantsMatchSpark(String expression) {
    for (String ansi : List.of("true", "false")) {
      Map<String, String> settings = with(ANSI, "spark.sql.ansi.enabled", ansi);
      check("select id, " + expression + " from strings", settings, Coverage.PROJECT);
      check(
          "select g, sum(length(cast(" + expression + " as string))) from strings group by g",
          settings,
          Coverage.AGGREGATE);
      check(
          "select id from strings where isnotnull(" + expression + ") or id < 9 order by id",
          settings,
          Coverage.FILTER);
    }
  }

  /** A query that fails while it is planned has no plan to look at. */
  private void check(String sql, Map<String, String> settings, String node) {
    Outcome outcome = differential.outcome(sql, settings);
    if (outcome.plan() == null) {
      assertNotNull(outcome.error(), sql);
    } else {
      VacuityGate.requireNode(node, sql, outcome);
    }
  }
}
