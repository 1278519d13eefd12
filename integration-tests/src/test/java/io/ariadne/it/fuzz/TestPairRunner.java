package io.ariadne.it.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestPairRunner {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t ORDER BY a",
        "SELECT d FROM t ORDER BY d DESC, CAST(d AS string) LIMIT 5 OFFSET 2",
        "WITH v AS (SELECT a FROM t) SELECT a FROM v ORDER BY (SELECT max(b) FROM u), a",
        "SELECT a FROM (SELECT a FROM t ORDER BY b LIMIT 3) ORDER BY a",
      })
  void recognizesQueriesWithAnOrder(String sql) {
    assertTrue(PairRunner.endsInOrder(sql));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t",
        "SELECT sum(a) OVER (PARTITION BY b ORDER BY c) FROM t",
        "(SELECT a FROM t ORDER BY a LIMIT 3) UNION ALL (SELECT a FROM t ORDER BY a)",
      })
  void recognizesQueriesWithoutAnOrder(String sql) {
    assertFalse(PairRunner.endsInOrder(sql));
  }
}
