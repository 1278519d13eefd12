package io.ariadne.it.sql;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of timestamps against Spark in odd time zones, before 1900 and before 1582 too. */
class TimestampIT extends AbstractDifferentialIT {
  private static final Coverage PROJECT = Coverage.of(Coverage.PROJECT);

  /** Around transitions of the zones: hourly over two weeks, and once a week since 1850. */
  private static final String TIMES =
      " from (select id, t1, t2, u1, u2, a1, a2, g, s1, i1, l1,"
          + " timestamp_seconds(case when id < 1500 then 1300000000 + id * 1801"
          + " else -3786825600 + id * 1999999 end) as t,"
          + " timestamp_seconds(-3786825600 + (3000 - id) * 2222222) as v from edge)";

  static Stream<String> zones() {
    return Stream.of(
        "UTC",
        "America/Los_Angeles",
        "America/St_Johns",
        "Pacific/Apia",
        "Africa/Monrovia",
        "Asia/Kathmandu",
        "Australia/Lord_Howe",
        "America/Toronto",
        "+18:00",
        "-08:30");
  }

  private void check(String projections, String zone, String table, Coverage claim) {
    for (String ansi : new String[] {"false", "true"}) {
      differential.check(
          "select id, " + projections + table,
          Map.of("spark.sql.ansi.enabled", ansi, "spark.sql.session.timeZone", zone),
          claim);
    }
  }

  @ParameterizedTest
  @MethodSource("zones")
  void fieldsMatchSpark(String zone) {
    for (String time : new String[] {"t", "v", "t1", "u1"}) {
      check(
          "hour($), minute($), second($), extract(second from $), year($), month($), day($),"
                  .replace("$", time)
              + " dayofweek($), weekofyear($), date($), datediff($, t2)".replace("$", time),
          zone,
          TIMES,
          PROJECT.kernels(
              "Hour", "Minute", "Second", "SecondWithFraction", "Cast", "Year", "DateDiff"));
    }
  }

  @ParameterizedTest
  @MethodSource("zones")
  void truncationMatchesSpark(String zone) {
    for (String time : new String[] {"t", "v", "t1"}) {
      StringBuilder columns = new StringBuilder("id + 1");
      for (String unit :
          "microsecond millisecond second minute hour day week month quarter year".split(" ")) {
        columns.append(", date_trunc('" + unit + "', " + time + ")");
      }
      check(columns.toString(), zone, TIMES, PROJECT.kernels("TruncTimestamp"));
    }
  }

  @ParameterizedTest
  @MethodSource("zones")
  void conversionsMatchSpark(String zone) {
    check(
        "cast(t as timestamp_ntz), cast(v as timestamp_ntz), cast(u1 as timestamp),"
            + " cast(cast(t as timestamp_ntz) as timestamp), cast(a1 as timestamp),"
            + " cast(date(t) as timestamp), cast(a1 as timestamp_ntz), cast(u1 as date),"
            + " cast(t1 as bigint), from_utc_timestamp(t, 'America/St_Johns'),"
            + " to_utc_timestamp(v, 'Pacific/Apia'), from_utc_timestamp(t1, 'Asia/Kathmandu'),"
            + " to_utc_timestamp(t1, '+5:30'), unix_seconds(t1), unix_millis(t1),"
            + " unix_micros(t2), timestamp_seconds(i1), timestamp_millis(i1),"
            + " timestamp_micros(l1)",
        zone,
        TIMES,
        PROJECT.kernels(
            "Cast",
            "FromUTCTimestamp",
            "ToUTCTimestamp",
            "UnixSeconds",
            "UnixMillis",
            "UnixMicros",
            "SecondsToTimestamp",
            "MillisToTimestamp",
            "MicrosToTimestamp"));
  }

  @ParameterizedTest
  @MethodSource("zones")
  void arithmeticMatchesSpark(String zone) {
    check(
        "t + interval '1-1' year to month, v - interval '13' month, u1 + interval '1' month,"
            + " t - v, u1 - u2, t1 - t2, a1 - a2, months_between(t, v), months_between(t1, t2),"
            + " months_between(t, v, false)",
        zone,
        TIMES,
        PROJECT.kernels(
            "TimestampAddYMInterval", "SubtractTimestamps", "SubtractDates", "MonthsBetween"));
  }

  /** Spark asks for midnight only where the days of the month differ. */
  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Asia/Tokyo", "America/Los_Angeles"})
  void monthsBetweenTheLeastTimestampsMatchSpark(String zone) {
    String least = "timestamp_micros(-9223372036854775807 - 1 + (g - g)";
    for (String other : new String[] {"", " + 86400000000", " + 31L * 86400000000"}) {
      differential.check(
          "select id, months_between(%1$s), %1$s%2$s)) from single".formatted(least, other),
          Map.of("spark.sql.session.timeZone", zone, "spark.sql.ansi.enabled", "false"),
          PROJECT.kernels("MonthsBetween"));
    }
  }

  @ParameterizedTest
  @MethodSource("zones")
  void unitsMatchSpark(String zone) {
    for (String unit :
        "microsecond millisecond second minute hour day week month quarter year".split(" ")) {
      check(
          "timestampadd($, g, t), timestampadd($, s1, v), timestampdiff($, t, v),"
                  .replace("$", unit)
              + " timestampdiff($, t1, t2), timestampadd($, g, u1)".replace("$", unit),
          zone,
          TIMES,
          PROJECT.kernels("TimestampAdd", "TimestampDiff"));
    }
  }

  @ParameterizedTest
  @MethodSource("zones")
  void valuesThatDoNotFitRaiseSparksErrors(String zone) {
    for (String raising :
        new String[] {
          "timestampadd(year, i1, t1)",
          "timestampadd(hour, i1, t2)",
          "date_from_unix_date(i1) - date'1970-01-01'",
          "cast(date_from_unix_date(i1) as timestamp)",
          "timestamp_seconds(l1)",
          "cast(timestamp_micros(l1) as timestamp_ntz)",
          "date_trunc('year', timestamp_micros(l1))",
          "timestamp_micros(l1) - timestamp_micros(unix_micros(t2))"
        }) {
      for (String ansi : new String[] {"false", "true"}) {
        differential.check(
            "select id, " + raising + " from single",
            Map.of("spark.sql.ansi.enabled", ansi, "spark.sql.session.timeZone", zone),
            PROJECT);
      }
    }
  }
}
