package io.ariadne.it.sql;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Intervals, and casts between timestamps and numbers, against Spark. */
class IntervalIT extends AbstractDifferentialIT {
  private static final Coverage PROJECT = Coverage.of(Coverage.PROJECT);

  /** Intervals are computed: files have them only since Spark 3.3. */
  private static final String INTERVALS =
      " from (select id, g, b1, s1, i1, l1, t1, u1, interval '1' month * i1 as y,"
          + " interval '1' month * s1 as y2, interval '0.000001' second * l1 as d,"
          + " interval '1' second * i1 as d2 from single)";

  private void check(String projections, String ansi, Coverage claim) {
    differential.check(
        "select id, " + projections + INTERVALS, Map.of("spark.sql.ansi.enabled", ansi), claim);
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void fieldsMatchSpark(String ansi) {
    check(
        "extract(year from y), extract(month from y), extract(day from d), extract(hour from d),"
            + " extract(minute from d2), extract(second from d), sign(y), sign(d)",
        ansi,
        PROJECT.kernels(
            "MultiplyYMInterval",
            "MultiplyDTInterval",
            "ExtractANSIIntervalYears",
            "ExtractANSIIntervalMonths",
            "ExtractANSIIntervalDays",
            "ExtractANSIIntervalHours",
            "ExtractANSIIntervalMinutes",
            "ExtractANSIIntervalSeconds",
            "Signum"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void arithmeticMatchesSpark(String ansi) {
    check(
        "y2 + interval '1' year, y2 - y2, -y2, abs(y2), y2 * b1, d2 + interval '1' day, d2 - d2,"
            + " -d2, abs(d2), d2 * b1, y2 < interval '3' month, d2 = interval '1' second",
        ansi,
        PROJECT.kernels("Add", "Subtract", "UnaryMinus", "Abs"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"y + y", "-y", "abs(y)", "y * i1", "y * l1", "d + d", "-d", "abs(d)", "d * l1"})
  void valuesThatDoNotFitRaiseSparksErrors(String raising) {
    for (String ansi : new String[] {"false", "true"}) {
      check(raising, ansi, PROJECT);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"UTC", "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe", "+18:00"})
  void timestampsPlusIntervalsMatchSpark(String zone) {
    for (String ansi : new String[] {"false", "true"}) {
      differential.check(
          "select id, t1 + d2, u1 + d2, t1 - interval '5 3:2:1' day to second,"
              + " timestamp_seconds(1300000000 + id * 1801) + interval '2' day,"
              + " timestamp_seconds(1300000000 + id * 1801) - interval '36' hour"
              + INTERVALS,
          Map.of("spark.sql.ansi.enabled", ansi, "spark.sql.session.timeZone", zone),
          PROJECT.kernels("MultiplyDTInterval"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void castsOfTimestampsMatchSpark(String ansi) {
    Map<String, String> settings = Map.of("spark.sql.ansi.enabled", ansi);
    differential.check(
        "select id, cast(t1 as bigint), cast(t1 as double), cast(t1 as float),"
            + " cast(b1 as timestamp), cast(s1 as timestamp), cast(i1 as timestamp),"
            + " cast(l1 as timestamp), unix_timestamp(t1) from edge",
        settings,
        PROJECT.kernels("Cast"));
    // Spark lines treat seconds that do not fit differently: no kernel outside ANSI
    // mode.
    boolean isAnsi = ansi.equals("true");
    for (String type : new String[] {"int", "smallint", "tinyint"}) {
      differential.check(
          "select id, cast(t1 as " + type + ") from single",
          settings,
          isAnsi ? PROJECT.kernels("Cast") : PROJECT.bridged("Cast"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"f1", "d1", "z1"})
  void castsToTimestampsMatchSpark(String column) {
    differential.check(
        "select id, cast(" + column + " as timestamp), cast(t1 as boolean) from edge",
        LEGACY,
        PROJECT.kernels("Cast"));
  }
}
