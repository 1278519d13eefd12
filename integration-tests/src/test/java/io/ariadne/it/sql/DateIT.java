package io.ariadne.it.sql;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of dates against Spark, before 1582 and beyond year 9999 too. */
class DateIT extends AbstractDifferentialIT {
  private static final Coverage PROJECT = Coverage.of(Coverage.PROJECT);

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void fieldsMatchSpark(String ansi) {
    differential.check(
        "select id, year(a1), quarter(a1), month(a1), day(a1), dayofyear(a1), dayofweek(a1),"
            + " weekday(a1), weekofyear(a1), extract(yearofweek from a1), last_day(a1),"
            + " datediff(a1, a2), unix_date(a1), date_from_unix_date(i1) from edge",
        Map.of("spark.sql.ansi.enabled", ansi),
        PROJECT.kernels(
            "Year",
            "Quarter",
            "Month",
            "DayOfMonth",
            "DayOfYear",
            "DayOfWeek",
            "WeekDay",
            "WeekOfYear",
            "YearOfWeek",
            "LastDay",
            "DateDiff",
            "UnixDate",
            "DateFromUnixDate"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void truncationMatchesSpark(String ansi) {
    differential.check(
        "select id, trunc(a1, 'week'), trunc(a1, 'MM'), trunc(a1, 'quarter'), trunc(a2, 'yyyy'),"
            + " next_day(a1, 'mon'), next_day(a1, 'SUNDAY'), next_day(a2, 'th') from edge",
        Map.of("spark.sql.ansi.enabled", ansi),
        PROJECT.kernels("TruncDate", "NextDay"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void monthsMatchSpark(String ansi) {
    Map<String, String> settings = Map.of("spark.sql.ansi.enabled", ansi);
    differential.check(
        "select id, add_months(a1, s1), add_months(a2, 1), add_months(a1, -13),"
            + " a1 + interval '3-2' year to month, a1 - interval '1' month from edge",
        settings,
        PROJECT.kernels("AddMonths", "DateAddYMInterval"));
    differential.check(
        "select id, add_months(a1, i1) from single", settings, PROJECT.kernels("AddMonths"));
    differential.check(
        "select id, add_months(date_from_unix_date(i1), s1) from single",
        settings,
        PROJECT.kernels("AddMonths"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void makeDate(String ansi) {
    Map<String, String> settings = Map.of("spark.sql.ansi.enabled", ansi);
    differential.check(
        "select id, make_date(year(a1), month(a2), day(a1) % 28 + 1), make_date(s1, 2, 28)"
            + " from edge",
        settings, PROJECT.kernels("MakeDate"));
    differential.check(
        "select id, make_date(year(a1), month(a2), g * 5) from single",
        settings,
        PROJECT.kernels("MakeDate"));
    differential.check(
        "select id, make_date(i1, g, 3) from single", settings, PROJECT.kernels("MakeDate"));
  }
}
