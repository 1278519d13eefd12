package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests sums and means of floating-point numbers. They are the same in every run, and within
 * rounding of Spark's, whose last digits depend on the order of rows.
 */
class FloatSumIT extends AbstractDifferentialIT {
  private static final double TOLERANCE = 1e-11;
  private static final String AGGREGATES =
      "sum(d1), sum(f1), avg(d2), avg(f2), avg(i1), avg(l1), avg(b1), sum(d1) filter (where z1),"
          + " sum(abs(d1)) + sum(abs(f1)) + sum(abs(d2)) + sum(abs(f2))";
  private static final String MODERATE =
      " where (abs(d1) < 1e30 or d1 is null) and (abs(d2) < 1e30 or d2 is null)"
          + " and (abs(f1) < 1e30 or f1 is null) and (abs(f2) < 1e30 or f2 is null)";
  private static final Coverage CLAIM = Coverage.of(Coverage.AGGREGATE).aggregates("sum", "avg");

  @ParameterizedTest
  @CsvSource({
    "empty,'',true",
    "one,'',false",
    "small,'',true",
    "edge,'',true",
    "edge,'',false",
    "edge,g,true",
    "edge,g,false",
    "edge,id % 1013,true",
    "edge,c1,false"
  })
  void closeToSpark(String table, String key, String adaptive) {
    for (String ansi : List.of("false", "true")) {
      String sql = sql(table, key, MODERATE);
      Map<String, String> settings =
          Map.of("spark.sql.ansi.enabled", ansi, "spark.sql.adaptive.enabled", adaptive);
      List<String> expected = run(sql, with(settings, "spark.ariadne.enabled", "false")).rows();
      Outcome actual = run(sql, settings);
      VacuityGate.require(CLAIM, sql, actual);
      assertEquals(expected.size(), actual.rows().size(), sql);
      boolean isGrouped = !key.isEmpty();
      for (int i = 0; i < expected.size(); i++) {
        assertClose(expected.get(i), actual.rows().get(i), isGrouped ? 1 : 0, sql);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "g", "id % 1013"})
  void sameInEveryRun(String key) {
    String sql = sql("edge", key, "");
    List<String> first = run(sql, LEGACY).rows();
    for (int run = 0; run < 4; run++) {
      assertEquals(first, run(sql, LEGACY).rows(), sql);
    }
  }

  @Test
  void specialValuesMatchSpark() {
    for (String value :
        List.of(
            "'NaN'", "'Infinity'", "'-Infinity'", "-0.0", "4.9e-324", "1.7976931348623157e308")) {
      String sql =
          "select sum(cast(%1$s as double)), avg(cast(%1$s as double)) from one".formatted(value);
      differential.check(sql, LEGACY, CLAIM);
    }
    differential.check(
        "select sum(d), avg(d), sum(cast(d as float)) from (select if(id % 2 = 0,"
            + " double('Infinity'), double('-Infinity')) as d from small)",
        LEGACY, CLAIM);
  }

  @Test
  void distinctMatchesSpark() {
    differential.check(
        "select g, sum(distinct cast(b1 as double)), avg(distinct b1) from edge group by g",
        LEGACY,
        CLAIM);
  }

  private static String sql(String table, String key, String condition) {
    return key.isEmpty()
        ? "select %s from %s%s".formatted(AGGREGATES, table, condition)
        : "select %1$s, %2$s from %3$s%4$s group by %1$s"
            .formatted(key, AGGREGATES, table, condition);
  }

  private Outcome run(String sql, Map<String, String> settings) {
    settings.forEach(session.conf()::set);
    try {
      return Outcome.of(session, sql);
    } finally {
      settings.keySet().forEach(session.conf()::unset);
    }
  }

  /** Compares two printed rows: the last column says how large numbers of both were. */
  private static void assertClose(String expected, String actual, int keys, String sql) {
    String[] ours = actual.split("\\|");
    String[] theirs = expected.split("\\|");
    assertEquals(theirs.length, ours.length, sql);
    double scale = Stream.of(theirs[theirs.length - 1]).mapToDouble(FloatSumIT::number).sum();
    for (int i = 0; i < ours.length; i++) {
      String message = sql + "\n" + expected + "\n" + actual;
      if (i < keys || theirs[i].equals("∅")) {
        assertEquals(theirs[i], ours[i], message);
      } else {
        double difference = Math.abs(number(theirs[i]) - number(ours[i]));
        double size = Math.max(scale, Math.abs(number(theirs[i])));
        assertTrue(difference <= TOLERANCE * Math.max(1, size), message);
      }
    }
  }

  private static double number(String text) {
    return text.equals("∅") ? 0 : Double.parseDouble(text);
  }
}
