package io.ariadne.it.sql;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which error Ariadne raises when several expressions fail for several rows. Like Spark,
 * which computes row by row, it raises the error of the first row and in it of the first
 * expression.
 *
 * <p>Table {@code order}: 20000 rows in one file; {@code x}, {@code y} and {@code z} are 0 and
 * {@code c} is no number in one row each, in every order.
 */
class ErrorOrderIT extends AbstractDifferentialIT {
  private static final Coverage PROJECT = Coverage.of(Coverage.PROJECT);
  private static final Coverage FILTER = Coverage.of(Coverage.FILTER);
  private static final Coverage FILTER_AND_PROJECT = Coverage.of(Coverage.FILTER, Coverage.PROJECT);
  private static final Coverage AGGREGATE = Coverage.of(Coverage.AGGREGATE);

  /** Views by name: rows for which x, y, z and c fail. */
  private static final Map<String, int[]> VIEWS =
      new TreeMap<>(
          Map.of(
              "order_xyzc", new int[] {5000, 6000, 7000, 8000},
              "order_czyx", new int[] {8000, 7000, 6000, 5000},
              "order_zcxy", new int[] {7000, 8000, 5000, 6000},
              "order_same", new int[] {9000, 9000, 9000, 9000},
              "order_first", new int[] {12000, 12000, 0, 0},
              "order_last", new int[] {19999, 19998, 19999, 19998}));

  static List<String> views() {
    return List.copyOf(VIEWS.keySet());
  }

  @BeforeAll
  void writeTables() {
    UDF1<Integer, Integer> reciprocal =
        value -> {
          if (value == 0) {
            throw new IllegalArgumentException("nothing has no reciprocal");
          }
          return 1000 / value;
        };
    session.udf().register("reciprocal", reciprocal, DataTypes.IntegerType);
    VIEWS.forEach(
        (name, rows) -> {
          writeView(
              name,
              session
                  .range(0, 20_000, 1, 1)
                  .selectExpr(
                      "id",
                      zeroAt(rows[0]) + " as x",
                      zeroAt(rows[1]) + " as y",
                      zeroAt(rows[2]) + " as z",
                      "if(id = " + rows[3] + ", 'none', cast(id % 100 as string)) as c",
                      "named_struct('x', "
                          + zeroAt(rows[0])
                          + ", 'y', "
                          + zeroAt(rows[1])
                          + ") as s")
                  .write());
        });
  }

  private static String zeroAt(int row) {
    return "cast(if(id = " + row + ", 0, id % 100 + 1) as int)";
  }

  @ParameterizedTest
  @MethodSource("views")
  void projectionsMatchSpark(String view) {
    differential.check(
        "select id, 10 / x, 10 % y, 10 div z from " + view,
        ANSI,
        PROJECT.kernels("Divide", "Remainder", "IntegralDivide"));
    differential.check(
        "select id, cast(c as int) + 0, 10 / x, reciprocal(z), 10 % y from " + view,
        ANSI,
        PROJECT.kernels("Divide", "Remainder", "Cast").bridged("ScalaUDF"));
    differential.check(
        "select id, reciprocal(z), 10 % y, cast(c as int) + 10 div x from " + view,
        ANSI,
        PROJECT.kernels("Remainder", "Add", "Cast").bridged("ScalaUDF"));
    differential.check(
        "select id, (10 div x) div (10 % y - 10), (10 - 10 % y) + reciprocal(z) from " + view,
        ANSI,
        PROJECT.kernels("IntegralDivide", "Remainder").bridged("Add"));
  }

  /** What occurs twice Spark computes first; of several such parts which first, hashes decide. */
  @ParameterizedTest
  @ValueSource(strings = {"order_xyzc", "order_czyx", "order_zcxy", "order_first", "order_last"})
  void commonPartsMatchSpark(String view) {
    differential.check(
        "select id, 10 / x, reciprocal(y) + 1, 3 - 10 / z, reciprocal(y) + 2, 4 - 10 / z from "
            + view,
        ANSI,
        PROJECT.kernels("Divide", "Add", "Subtract").bridged("ScalaUDF"));
  }

  @ParameterizedTest
  @MethodSource("views")
  void filtersMatchSpark(String view) {
    differential.check(
        "select id from " + view + " where 10 / x > 0 and 10 % y >= 0 and 10 div z >= 0",
        ANSI,
        FILTER.kernels("Divide", "Remainder", "IntegralDivide"));
    differential.check(
        "select id from " + view + " where 10 / x > 0 and reciprocal(y) >= 0 and 10 div z >= 0",
        ANSI,
        FILTER.kernels("Divide", "IntegralDivide").bridged("ScalaUDF"));
  }

  /** Spark generates no code for a filter with a lambda: NULL stops no conjunct behind it. */
  @ParameterizedTest
  @MethodSource("views")
  void interpretedFiltersMatchSpark(String view) {
    Coverage bridged = FILTER.bridged("ArrayForAll");
    String all = "forall(array(x), v -> 10 / v > 0)";
    for (String condition :
        List.of(
            "id in (1, null) and " + all,
            all + " and id in (1, null)",
            "id in (1, null) and 10 % y >= 0 and " + all + " and 10 div z >= 0",
            "id < 100 and nullif(id, 1) < 200 and " + all + " and id in (1, 2, null)",
            "c is not null and id in (1, null) and cast(c as int) < 3 and " + all)) {
      differential.check("select id from " + view + " where " + condition, ANSI, bridged);
    }
    differential.check(
        "select * from (select id, 10 div y as q from "
            + view
            + ") where q < 5 and id in (1, null)"
            + " and forall(array(q), v -> v < 3)",
        ANSI,
        bridged);
  }

  /** Nor for a projection with a lambda, or one below such a filter: it computes every row. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select x, sum(y) / x r, transform(array(x), v -> v + 1) t from order_xyzc group by x"
            + " having count(*) > 1",
        "select x, count(*) from order_xyzc group by x having count(y) > 1 and x > 0"
            + " and forall(array(sum(y) / x), v -> v > 0)",
        "select x, sum(y) / x r from order_xyzc group by x having count(*) > 1",
        "select x, sum(y) / x r from order_xyzc group by x"
            + " having count(*) > 1 and exists(array(x), v -> v > 3)",
      })
  void interpretedProjectionsFailAsInSpark(String query) {
    Outcome outcome = differential.outcome(query, ANSI);
    VacuityGate.requireNode(Coverage.FILTER, query, outcome);
    VacuityGate.requireNode(Coverage.AGGREGATE, query, outcome);
  }

  @ParameterizedTest
  @MethodSource("views")
  void filtersBelowProjectionsMatchSpark(String view) {
    differential.check(
        "select id, 10 / y, cast(c as int) from " + view + " where 10 % x >= 0 and id <> 8000",
        ANSI,
        FILTER_AND_PROJECT.kernels("Divide", "Remainder", "Cast"));
    differential.check(
        "select id, 10 / y from " + view + " where reciprocal(x) >= 0 and 10 % z >= 0",
        ANSI,
        FILTER_AND_PROJECT.kernels("Divide", "Remainder").bridged("ScalaUDF"));
    differential.check(
        "select id, reciprocal(y), 10 % z from " + view + " where x <> 0 and 10 / x >= 0",
        ANSI,
        FILTER_AND_PROJECT.kernels("Divide", "Remainder").bridged("ScalaUDF"));
  }

  @ParameterizedTest
  @MethodSource("views")
  void aggregateInputsMatchSpark(String view) {
    differential.check(
        "select 10 div x as k, sum(10 % y), max(10 / z) from " + view + " group by 10 div x",
        ANSI,
        AGGREGATE);
    differential.check(
        "select 10 div x as k, sum(reciprocal(y)), max(10 / z) from "
            + view
            + " where 10 / x > 0 group by 10 div x",
        ANSI,
        AGGREGATE.bridged("ScalaUDF"));
    differential.check(
        "select sum(10 div x), sum(cast(c as int)), min(10 div z) from " + view + " where id > 3",
        ANSI,
        AGGREGATE.kernels("Cast"));
  }

  @ParameterizedTest
  @MethodSource("views")
  void argumentsThatAFilterClauseGuardsMatchSpark(String view) {
    differential.check(
        "select id % 3 as k, sum(10 div x) filter (where x <> 0),"
            + " sum(10 div s.y) filter (where s.y <> 0), max(reciprocal(abs(z) + 1)) from "
            + view
            + " group by id % 3",
        ANSI,
        AGGREGATE.bridged("ScalaUDF"));
    differential.check(
        "select sum(10 div x) filter (where id <> 5000), sum(10 div y) filter (where 7 % z > 3)"
            + " from "
            + view,
        ANSI,
        AGGREGATE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"order_xyzc", "order_czyx"})
  void limitsMatchSpark(String view) {
    differential.checkHarmless(
        "select id, 10 / x, reciprocal(y) from " + view + " limit 100", ANSI);
    differential.checkHarmless(
        "select id, 10 / x, reciprocal(y) from " + view + " where 10 % z >= 0 limit 7500", ANSI);
  }

  /** Negating a decimal of 38 digits may fail whatever the mode. */
  @Test
  void errorsOutsideAnsiModeMatchSpark() {
    differential.check(
        "select id, -h1, abs(h2), h1 + h1 from single where id >= 0",
        LEGACY,
        PROJECT.kernels("Add").bridged("UnaryMinus", "Abs"));
    differential.check(
        "select id, abs(h2), -h1 from single where -h1 < abs(h2)",
        LEGACY,
        FILTER_AND_PROJECT.bridged("UnaryMinus", "Abs", "LessThan"));
  }

  /** Without ANSI a division by zero is null before its dividend is looked at. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "try_divide(if(x = 0, 2147483647 - x, 1) + 1, x)",
        "try_divide(if(x = 0, 2147483647L, 1L) * if(x = 0, 9999999999, 1), cast(x as bigint))",
        "try_divide(1 / y, 1 / 1 - 1) + 1 / z"
      })
  void dividendsOfZeroMatchSpark(String projection) {
    for (String view : views()) {
      differential.check("select id, " + projection + " from " + view, ANSI, PROJECT);
    }
  }

  /** The bridge computes all rows: a dividend that may raise takes the division with it. */
  @Test
  void bridgedDividendsOfZeroMatchSpark() {
    String projection = "try_divide(cast(reciprocal(x) as decimal(20, 2)), cast(x as decimal(10)))";
    for (String view : views()) {
      differential.check(
          "select id, " + projection + " from " + view, ANSI, PROJECT.bridged("Divide"));
    }
  }

  /** What a conjunct needs is computed for rows that passed the conjuncts before it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from (select x k, count(nullif(y, 0)) c, sum(y) / count(nullif(x, 0)) r from T"
            + " group by x) where c > 0 and r > 1 and k <> 0",
        "select * from (select x k, count(y) c, sum(y) / max(x) r from T group by x)"
            + " where k <> 0 and r > 1",
        "select x k, count(*) from T group by x having k > 0 and sum(y) / k > 1",
        "select id from T where isnotnull(10 / x) and x <> 0",
        "select * from (select id, x, y, 10 / x a, 100 / y b from T) where x <> 0 and a > 1"
            + " and y <> 0 and b > 3",
        "select * from (select id, 10 / x a, 10 / y b from T) where a > b or id = 0"
      })
  void lazyColumnsOfFiltersMatchSpark(String query) {
    for (String view : views()) {
      differential.check(query.replace("T", view), ANSI, Coverage.of());
    }
  }

  /** Casts that raise in every mode are not computed where Spark does not. */
  @Test
  void castsOfIntervalsMatchSpark() {
    differential.check(
        "select id, coalesce(if(c = 'none', interval '1' year, null),"
            + " cast(c as interval year)) from order_xyzc",
        LEGACY,
        PROJECT.bridged("Coalesce"));
  }
}
