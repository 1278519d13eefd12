package io.ariadne.it.sql;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounding, extremes and functions of numbers beyond arithmetic, against Spark. */
class MathIT extends AbstractDifferentialIT {
  private static final Coverage PROJECT = Coverage.of(Coverage.PROJECT);

  private static String pair(String template, String type) {
    return template.replace("$1", type + "1").replace("$2", type + "2");
  }

  static Stream<String> exactNumbers() {
    return Stream.of("b", "s", "i", "l", "n", "m");
  }

  @ParameterizedTest
  @MethodSource("exactNumbers")
  void roundingMatchesSpark(String type) {
    differential.check(
        pair(
            "select id, round($1, 1), round($1, 3), round($1, -1), round($1, -2), round($1, -9),"
                + " round($2), bround($1, -1), bround($2, 1), bround($1, -3) from edge",
            type),
        LEGACY,
        PROJECT.kernels("Round", "BRound"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"b", "s", "i", "l"})
  void roundedIntegersRaiseSparksErrors(String type) {
    for (String rounded : new String[] {"round($1, -1)", "round($1, -19)", "bround($2, -2)"}) {
      differential.check(
          pair("select id, " + rounded + " from single", type),
          ANSI,
          PROJECT.kernels(rounded.startsWith("b") ? "BRound" : "Round"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void roundingOfLongDecimalsAndDoublesMatchesSpark(String ansi) {
    differential.check(
        "select id, round(h1, 5), bround(h1, 9), round(h2, 0), round(d1), bround(d1),"
            + " round(f1), bround(f2), rint(d2) from edge",
        Map.of("spark.sql.ansi.enabled", ansi),
        PROJECT.kernels("Round", "BRound", "Rint"));
    differential.check(
        "select id, round(d1, 2), round(f1, -1) from edge",
        Map.of("spark.sql.ansi.enabled", ansi),
        PROJECT.kernels("Round"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void floorToMoreDigitsThanANumberHasRaisesSparksError(String ansi) {
    differential.check(
        "select id, floor(n1, -2147483648) from single",
        Map.of("spark.sql.ansi.enabled", ansi),
        PROJECT.bridged("RoundFloor"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"n", "m", "h"})
  void ceilingAndFloorOfDecimalsMatchSpark(String type) {
    differential.check(
        pair(
            "select id, ceil($1), floor($1), ceil($2, 1), floor($2, 1), ceil($1, -2),"
                + " floor($1, -3) from edge",
            type),
        LEGACY,
        PROJECT.kernels("Ceil", "Floor", "RoundCeil", "RoundFloor"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void ceilingAndFloorOfNumbersMatchSpark(String ansi) {
    differential.check(
        "select id, ceil(d1), floor(d1), ceil(f1), floor(f2), ceil(l1), floor(i1) from edge",
        Map.of("spark.sql.ansi.enabled", ansi),
        PROJECT.kernels("Ceil", "Floor"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"z", "b", "s", "i", "l", "f", "d", "n", "m", "h", "a", "t", "u"})
  void extremesMatchSpark(String type) {
    differential.check(
        pair("select id, greatest($1, $2), least($1, $2), greatest($2, $1, $2) from edge", type),
        LEGACY,
        PROJECT.kernels("Greatest", "Least"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"b", "s", "i", "l", "f", "d"})
  void positiveModuloMatchesSpark(String type) {
    differential.check(
        pair("select id, pmod($1, $2), pmod($1, 7), pmod($1, -3) from edge", type),
        LEGACY,
        PROJECT.kernels("Pmod"));
    differential.check(
        pair("select id, pmod($1, $2) from single", type), ANSI, PROJECT.kernels("Pmod"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void functionsOfNumbersMatchSpark(String ansi) {
    differential.check(
        "select id, sign(d1), sign(i1), sign(n1), degrees(d1), radians(d2), factorial(i1),"
            + " factorial(g + 17), bit_count(l1), bit_count(i1), bit_count(b1), bit_count(z1),"
            + " bit_get(l1, g), nanvl(d1, d2), nanvl(f1, f2), isnan(d1), sqrt(d1) from edge",
        Map.of("spark.sql.ansi.enabled", ansi),
        PROJECT.kernels(
            "Signum",
            "ToDegrees",
            "ToRadians",
            "Factorial",
            "BitwiseCount",
            "BitwiseGet",
            "NaNvl",
            "IsNaN",
            "Sqrt"));
    differential.check(
        "select id, bit_get(b1, g + 5) from single",
        Map.of("spark.sql.ansi.enabled", ansi),
        PROJECT.kernels("BitwiseGet"));
  }
}
