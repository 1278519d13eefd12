package io.ariadne.it.sql;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests expressions that raise an ANSI error for rows that another operator drops. Spark's
 * generated code does not compute them for such rows, so Ariadne must not either.
 */
class DroppedRowsIT extends AbstractDifferentialIT {
  private static final Coverage FILTER = Coverage.of(Coverage.FILTER);
  private static final Coverage FILTER_AND_PROJECT = Coverage.of(Coverage.FILTER, Coverage.PROJECT);

  private static final Coverage HAVING = Coverage.of(Coverage.AGGREGATE, Coverage.FILTER);

  @BeforeAll
  void registerFunctions() {
    UDF1<Integer, Boolean> isNotZero = value -> value != null && value != 0;
    session.udf().register("is_not_zero", isNotZero, DataTypes.BooleanType);
    session
        .udf()
        .register(
            "is_not_zero_today",
            functions.udf(isNotZero, DataTypes.BooleanType).asNondeterministic());
    UDF1<Integer, Integer> reciprocal = value -> 1000 / value;
    session.udf().register("reciprocal", reciprocal, DataTypes.IntegerType);
    writeView(
        "late",
        session
            .range(0, 20_000, 1, 1)
            .selectExpr("id", "cast(if(id = 19999, 0, id % 100 + 1) as int) as x")
            .write());
  }

  @ParameterizedTest
  @ValueSource(strings = {"i1 <> 0", "not (i1 = 0)", "i1 > 0 or i1 < 0", "(1 / i1) <> 0 or i1 > 5"})
  void kernelFilterBelowKernelProjectionMatchesSpark(String condition) {
    differential.check(
        "select id, 1000 div i1, 1 / i1, 5 % i1 from edge where i1 <> 0 and (" + condition + ")",
        ANSI,
        FILTER_AND_PROJECT.kernels("Divide", "Remainder", "IntegralDivide"));
  }

  @Test
  void bridgedFilterBelowKernelProjectionMatchesSpark() {
    differential.check(
        "select id, 1 / i1, 5 % i1 from edge where is_not_zero(i1)",
        ANSI, FILTER_AND_PROJECT.kernels("Divide", "Remainder").bridged("ScalaUDF"));
  }

  @Test
  void bridgedFilterBetweenKernelFiltersMatchesSpark() {
    differential.check(
        "select id, 1 / i1 from edge where i2 > 0 and is_not_zero(i1) and 7 / i1 < 3 and g > 0",
        ANSI,
        FILTER_AND_PROJECT.kernels("Divide", "GreaterThan").bridged("ScalaUDF"));
  }

  @Test
  void kernelFilterBelowBridgedProjectionMatchesSpark() {
    differential.check(
        "select id, reciprocal(i1) + 1 from edge where i1 <> 0",
        ANSI,
        FILTER_AND_PROJECT.kernels("Add").bridged("ScalaUDF"));
    differential.check(
        "select id, cast(c1 as int) + 1 from edge where c1 = '1'",
        ANSI,
        Coverage.of(Coverage.PROJECT).kernels("Add", "EqualTo", "Cast"));
  }

  @Test
  void bridgedFilterBelowBridgedProjectionMatchesSpark() {
    differential.check(
        "select id, reciprocal(i1) + 1 from edge where is_not_zero(i1) and reciprocal(i1) > 3",
        ANSI,
        FILTER_AND_PROJECT.kernels("Add").bridged("ScalaUDF"));
  }

  @Test
  void filterThatStaysWithSparkBelowProjection() {
    differential.check(
        "select id, 1 / i1 from edge where is_not_zero_today(i1) and i2 > 0", ANSI, Coverage.of());
  }

  @Test
  void filterAboveProjectionMatchesSpark() {
    differential.check(
        "select id, q, r from (select id, i1 + 1 as i, 10 / i1 as q, i2 > 3 as r from edge"
            + " where i1 < 100) where i <> 1 and r",
        ANSI,
        FILTER_AND_PROJECT.kernels("Divide", "Add", "GreaterThan"));
  }

  @Test
  void groupsThatHavingDrops() {
    differential.check(
        "select b1, 100 / sum(i1) from edge group by b1 having sum(i1) <> 0",
        ANSI,
        HAVING.kernels("Divide").aggregates("sum"));
    differential.check(
        "select b1, 100 % min(i1), count(*) from edge group by b1 having min(i1) > 0",
        ANSI, HAVING.kernels("Remainder").aggregates("min", "count"));
    differential.check(
        "select b1, reciprocal(min(i1)) + 1 from edge group by b1 having is_not_zero(min(i1))",
        ANSI,
        HAVING.kernels("Add").bridged("ScalaUDF").aggregates("min"));
  }

  /** Of two results that raise for groups HAVING drops, neither does; kept, the first one. */
  @Test
  void twoResultsOfGroupsThatHavingDrops() {
    differential.check(
        "select b1, 100 / sum(i1), 100 % min(i1) from edge group by b1"
            + " having sum(i1) <> 0 and min(i1) <> 0",
        ANSI, HAVING.kernels("Divide", "Remainder").aggregates("sum", "min"));
    String results = "7 / (min(i1) - min(i1)) as a, 7 % (max(i1) - max(i1)) as b";
    String reversed = "7 % (max(i1) - max(i1)) as b, 7 / (min(i1) - min(i1)) as a";
    for (String columns : new String[] {results, reversed}) {
      String query = "select " + columns + " from edge having count(*) ";
      differential.check(query + "> 0", ANSI, HAVING);
      differential.check(query + "< 0", ANSI, HAVING);
    }
  }

  @Test
  void groupsThatHavingOfSparkDrops() {
    differential.check(
        "select b1, 100 / min(i1) from edge group by b1 having is_not_zero_today(min(i1))",
        ANSI,
        Coverage.of(Coverage.AGGREGATE).aggregates("min"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10485760", "-1"})
  void rowsThatAJoinDrops(String broadcastThreshold) {
    Map<String, String> settings =
        with(
            with(ANSI, "spark.sql.autoBroadcastJoinThreshold", broadcastThreshold),
            "spark.sql.join.preferSortMergeJoin",
            "false");
    differential.check(
        "select /*+ broadcast(s) */ e.id, q from (select id, i1, 10 / i1 as q from edge"
            + " where i2 > 0) e join (select id, 1 + id as k from small) s on e.i1 = s.k",
        settings,
        FILTER.kernels("GreaterThan"));
  }

  @Test
  void projectionThatRaisesNothingStaysOnAriadneBelowAJoin() {
    differential.check(
        "select e.id, q from (select id, i1, i1 > i2 as q from edge) e"
            + " join (select id from small) s on e.i1 = s.id",
        ANSI,
        Coverage.of(Coverage.PROJECT).kernels("GreaterThan"));
  }

  @Test
  void rowsBehindALimitMatchSpark() {
    differential.check("select id, 10 / x from late where id >= 10 limit 50", ANSI, Coverage.of());
    differential.check("select id from late where 10 / x > 0 limit 50", ANSI, Coverage.of());
    for (String limited :
        List.of(
            "select 10 / x q from late where id >= 10 limit 50",
            "select 10 / x q from late limit 19000 offset 50",
            "select q from (select 10 / x q, id from late limit 19999) where id > 3 limit 70",
            "select x q from late where 10 / x > 0 limit 50")) {
      String sql = "select max(q), count(*) from (" + limited + ")";
      differential.check(sql, ANSI, Coverage.of());
      differential.check(sql, with(ANSI, "spark.ariadne.disable", ""), Coverage.of());
    }
    differential.check(
        "select id, q from (select id, 10 / x as q from late where id >= 10) order by id limit 5",
        with(ANSI, "spark.sql.ansi.enabled", "false"),
        FILTER_AND_PROJECT.kernels("Divide"));
  }

  @Test
  void errorsThatSparkRaisesToo() {
    differential.check(
        "select id, 10 / x from late where id >= 10", ANSI, FILTER_AND_PROJECT.kernels("Divide"));
    differential.check(
        "select x, 10 / (x - x) from late group by x having count(*) > 0", ANSI, HAVING);
  }
}
