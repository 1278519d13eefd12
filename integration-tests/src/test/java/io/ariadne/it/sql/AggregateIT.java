package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares partial and final hash aggregations with Spark. */
class AggregateIT extends AbstractDifferentialIT {
  /** Spark sorts, and so changes the order of rows, when there are many groups. */
  private static final Map<String, String> BY_HASH =
      with(LEGACY, "spark.sql.objectHashAggregate.sortBased.fallbackThreshold", "100000");

  @ParameterizedTest
  @CsvSource({"empty,true", "one,true", "small,false", "edge,true", "edge,false"})
  void globalAggregatesMatchSpark(String table, String adaptive) {
    Coverage claim =
        Coverage.of(Coverage.AGGREGATE).aggregates("count", "sum", "min", "max", "avg");
    // Without rows the filter does nothing, and the aggregation answers all the same.
    differential.check(
        "select count(*), count(i1), sum(i1), sum(b1), min(i1), max(l1), min(d1), max(f1), min(a1),"
            + " max(t1), sum(n1), avg(m1), min(h1), max(m1), min(z1) from "
            + table
            + " where id >= 0",
        with(LEGACY, "spark.sql.adaptive.enabled", adaptive),
        table.equals("empty") ? claim : claim.kernels("GreaterThanOrEqual"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g",
        "z1",
        "b1",
        "i1",
        "l1",
        "n1",
        "h1",
        "a1",
        "t1",
        "c1",
        "x1",
        "g, c1",
        "c1, c2, z1"
      })
  void groupedAggregatesMatchSpark(String keys) {
    differential.check(
        "select "
            + keys
            + ", count(*), count(l1), sum(s1), min(i2), max(i2), sum(n2), avg(m2)"
            + " from edge group by "
            + keys,
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).aggregates("count", "sum", "min", "max", "avg"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cube(g, z1)",
        "rollup(g, z1, b1)",
        "grouping sets ((g, z1), (g), (z1), ())",
      })
  void groupingSetsMatchSpark(String grouping) {
    differential.check(
        "select g, z1, grouping_id(), count(*), sum(i1), avg(b1), min(l1) from edge group by "
            + grouping,
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).aggregates("count", "sum", "avg", "min"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"d1", "f1"})
  void floatingPointKeysAreNormalised(String key) {
    differential.check(
        "select " + key + ", count(*), sum(i1) from edge group by " + key,
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).kernels("NormalizeNaNAndZero").aggregates("count", "sum"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void sumsThatOverflowMatchSpark(String ansi) {
    Map<String, String> settings = Map.of("spark.sql.ansi.enabled", ansi);
    // Of one sign: whether a sum of both overflows on its way depends on the order of the rows.
    differential.check(
        "select sum(h1), avg(m1) from edge where h1 > 0",
        settings,
        Coverage.of(Coverage.AGGREGATE).kernels("GreaterThan").aggregates("sum", "avg"));
    for (String column : List.of("h1", "h2")) {
      differential.check(
          "select g, sum(%1$s) from edge where %1$s > 0 group by g".formatted(column),
          settings,
          Coverage.of(Coverage.AGGREGATE).kernels("GreaterThan").aggregates("sum"));
    }
    differential.check(
        "select sum(l1) from edge where l1 > 9223372036854775000",
        settings,
        Coverage.of(Coverage.AGGREGATE).kernels("GreaterThan").aggregates("sum"));
  }

  @Test
  void filterClausesMatchSpark() {
    differential.check(
        "select g, count(*) filter (where i1 > 0), sum(n1) filter (where z1), max(l1) filter (where"
            + " a1 < date '1970-01-01') from edge group by g",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE)
            .kernels("GreaterThan", "LessThan")
            .aggregates("count", "sum", "max"));
  }

  @Test
  void countsOfNestedValuesMatchSpark() {
    writeView(
        "lists",
        session
            .sql(
                "select g, z1, i1, if(z1, array(i1, i2), null) q1, if(z2, array(i2), null) q2,"
                    + " if(z1, named_struct('q', if(z2, array(s1), null)), null) r1,"
                    + " if(z2, named_struct('q', array(s1)), null) r2 from edge")
            .write());
    Coverage count = Coverage.of(Coverage.AGGREGATE).aggregates("count");
    for (String filter : List.of("z1", "cast(null as boolean)")) {
      for (String keys : List.of("", "g")) {
        String query = select("count(%s) filter (where " + filter + ")", "lists", keys);
        for (String column : List.of("q1", "r1.q")) {
          differential.check(query.formatted(column), LEGACY, count);
        }
        for (String bridged : List.of("coalesce(q1, q2)", "coalesce(r1, r2)")) {
          differential.check(query.formatted(bridged), LEGACY, count.bridged("Coalesce"));
        }
        differential.check(
            query.formatted("coalesce(r1, r2).q"), LEGACY, count.bridged("GetStructField"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "g", "c1, z1", "id % 997"})
  void extremesOfStringsMatchSpark(String keys) {
    String aggregates =
        "min(c1), max(c1), min(c2) filter (where z1), max(x1), min(x2), count(*),"
            + " min(concat(c1, c2)), max(substring(c1, 2)) filter (where i1 > 0)";
    Coverage claim =
        Coverage.of(Coverage.AGGREGATE)
            .kernels("Concat", "Substring", "GreaterThan")
            .aggregates("count", "min", "max");
    for (String adaptive : List.of("true", "false")) {
      differential.check(
          select(aggregates, "edge", keys),
          with(LEGACY, "spark.sql.adaptive.enabled", adaptive),
          claim);
    }
    differential.check(select(aggregates, "one", keys), LEGACY, claim);
    differential.check(
        select("min(c1), max(x1), count(distinct i1)", "edge where i1 > 0", keys),
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).aggregates("count", "min", "max"));
  }

  /** One file, so that rows have an order; for strings of groups Spark changes it by sorting. */
  @ParameterizedTest
  @ValueSource(strings = {"", "g", "c1, z1", "id % 997"})
  void firstAndLastMatchSpark(String keys) {
    String aggregates =
        "first(i1), last(l1), any_value(m1), first(d1, true), last(t1, true), first(z1), last(h1),"
            + " last(n2), first(f1, true), any_value(a1, true), last(b1 + 1) filter (where z1)";
    String ofStrings =
        ", first(c1), last(x1), first(c2, true), last(c2, true) filter (where z1), last(x2)";
    Coverage claim = Coverage.of(Coverage.AGGREGATE).aggregates("first", "last");
    for (String adaptive : List.of("true", "false")) {
      differential.check(
          select(keys.isEmpty() ? aggregates + ofStrings : aggregates, "single", keys),
          with(BY_HASH, "spark.sql.adaptive.enabled", adaptive),
          claim);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "g", "c1, z1", "id % 997"})
  void bitsAndTruthsMatchSpark(String keys) {
    differential.check(
        select(
            "bit_and(i1), bit_or(l1), bit_xor(b1), bit_xor(s1) filter (where z1), bit_and(l1),"
                + " bit_and(s2), bool_and(z1), bool_or(z2), every(z1), some(z2), count_if(i1 > 0)",
            "edge",
            keys),
        LEGACY,
        Coverage.of(Coverage.AGGREGATE)
            .aggregates("bit_and", "bit_or", "bit_xor", "min", "max", "count"));
  }

  private static String select(String aggregates, String table, String keys) {
    return keys.isEmpty()
        ? "select %s from %s".formatted(aggregates, table)
        : "select %1$s, %2$s from %3$s group by %1$s".formatted(keys, aggregates, table);
  }

  @Test
  void manyGroups() {
    differential.check(
        "select id % 1999 as k, count(*), sum(i1), min(a1) from edge group by id % 1999",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).kernels("Remainder").aggregates("count", "sum", "min"));
  }

  @Test
  void distinctAndNestedAggregationMatchSpark() {
    differential.check(
        "select count(*), sum(s) from (select g, i1, sum(b1) as s from edge group by g, i1)",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).aggregates("count", "sum"));
    differential.check(
        "select g, count(distinct i1) from edge group by g",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).aggregates("count"));
    differential.check("select distinct g, z1 from edge", LEGACY, Coverage.of(Coverage.AGGREGATE));
  }

  /**
   * -0.0 is below 0.0 in every order of rows; Spark returns the zero that it reads first. The zeros
   * are products, because Spark's optimizer takes the two constants for equal.
   */
  @Test
  void extremesOfZerosDoNotDependOnTheOrder() {
    for (String type : List.of("double", "float")) {
      for (int first : List.of(1, -1)) {
        String sql =
            ("select min(v), max(v) from (select T(T(0 * id) * if(id = 0, %d, if(id %% 2 = 0, -1,"
                    + " 1))) v from single)")
                .formatted(first)
                .replace("T(", type + "(");
        Outcome outcome = Outcome.of(session, sql);
        VacuityGate.require(Coverage.of(Coverage.AGGREGATE).aggregates("min", "max"), sql, outcome);
        assertEquals(List.of("-0.0|0.0"), outcome.rows(), sql);
      }
    }
  }
}
