package io.ariadne.it.sql;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters and projections over every type against Spark. */
class FilterProjectIT extends AbstractDifferentialIT {
  private static final Coverage PROJECT = Coverage.of(Coverage.PROJECT);
  private static final Coverage FILTER = Coverage.of(Coverage.FILTER);
  private static final Coverage FILTER_AND_PROJECT = Coverage.of(Coverage.FILTER, Coverage.PROJECT);
  private static final List<String> NUMERIC = List.of("b", "s", "i", "l", "f", "d", "n", "m", "h");
  private static final List<String> ORDERED =
      List.of("z", "b", "s", "i", "l", "f", "d", "n", "m", "h", "a", "t", "u");

  static Stream<String> numericTypes() {
    return NUMERIC.stream();
  }

  static Stream<String> orderedTypes() {
    return ORDERED.stream();
  }

  private static String typeLetter(String target) {
    return switch (target) {
      case "tinyint" -> "b";
      case "smallint" -> "s";
      case "int" -> "i";
      case "bigint" -> "l";
      case "float" -> "f";
      case "double" -> "d";
      default -> "";
    };
  }

  private static String pair(String template, String type) {
    return template.replace("$1", type + "1").replace("$2", type + "2");
  }

  @ParameterizedTest
  @MethodSource("numericTypes")
  void arithmeticMatchesSpark(String type) {
    differential.check(
        pair(
            "select id, $1 + $2, $1 - $2, $1 * $2, $1 / $2, $1 % $2 from edge where id >= 0", type),
        LEGACY,
        PROJECT.kernels("Add", "Subtract", "Multiply", "Divide", "Remainder"));
    Coverage signs = PROJECT.kernels("UnaryMinus", "Abs", "Add");
    // Spark rounds negated decimals of more than 34 digits, which may then be too long whatever the
    // mode: no kernel does that. One partition, because it may fail.
    differential.check(
        pair("select id, -$1, abs($2), $1 + $1 from single where id >= 0", type),
        LEGACY,
        type.equals("h") ? signs.bridgedInstead("UnaryMinus", "Abs") : signs);
  }

  @ParameterizedTest
  @MethodSource("numericTypes")
  void arithmeticRaisesSparksErrors(String type) {
    // One partition: among several, Spark raises the error of whichever task fails first.
    Map<String, String> expressions =
        Map.of(
            "$1 + $2", "Add",
            "$1 - $2", "Subtract",
            "$1 * $2", "Multiply",
            "-$1", "UnaryMinus",
            "$1 / $2", "Divide",
            "$1 % $2", "Remainder");
    expressions.forEach(
        (expression, name) -> {
          boolean isBridged = type.equals("h") && name.equals("UnaryMinus");
          differential.check(
              pair("select id, " + expression + " from single where id >= 0", type),
              ANSI,
              isBridged ? PROJECT.bridged(name) : PROJECT.kernels(name));
        });
  }

  @ParameterizedTest
  @MethodSource("numericTypes")
  void guardedRowsDoNotRaise(String type) {
    differential.check(
        pair(
            "select id, case when $2 = 0 or $2 is null then null else 1 / $2 end,"
                + " if($1 between 0 and 10 and $2 between 0 and 10, $1 * $2, null) from edge",
            type),
        ANSI,
        PROJECT.kernels("CaseWhen", "If", "Divide", "Multiply"));
  }

  @ParameterizedTest
  @MethodSource("orderedTypes")
  void comparisonsMatchSpark(String type) {
    differential.check(
        pair(
            "select id, $1 = $2, $1 <> $2, $1 < $2, $1 <= $2, $1 > $2, $1 >= $2, $1 <=> $2,"
                + " $1 is null, $2 is not null, coalesce($1, $2) from edge",
            type),
        LEGACY,
        PROJECT.kernels(
            "EqualTo",
            "Not",
            "LessThan",
            "LessThanOrEqual",
            "GreaterThan",
            "GreaterThanOrEqual",
            "EqualNullSafe",
            "IsNull",
            "IsNotNull",
            "Coalesce"));
    // Spark's optimiser turns the negation round.
    Map<String, String> conditions =
        Map.of(
            "$1 < $2", "LessThan",
            "$1 = $2", "EqualTo",
            "not ($1 >= $2)", "LessThan",
            "$1 <=> $2", "EqualNullSafe");
    conditions.forEach(
        (condition, name) ->
            differential.check(
                pair("select id, $1 from edge where " + condition, type),
                LEGACY,
                FILTER.kernels(name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"empty", "one", "small", "edge"})
  void threeValuedLogicOverAllSizesMatchesSpark(String table) {
    differential.check(
        "select id, z1 and z2, z1 or z2, not z1, z1 = z2, (z1 or i1 > 0) and not (z2 and i2 < 0)"
            + " from "
            + table
            + " where z1 or z2 or i1 > i2 or g is null",
        LEGACY,
        FILTER_AND_PROJECT.kernels("And", "Or", "Not", "EqualTo", "GreaterThan", "IsNull"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "America/Los_Angeles", "Asia/Kathmandu", "Australia/Lord_Howe"})
  void datesInOddTimeZonesMatchSpark(String zone) {
    Map<String, String> settings = with(LEGACY, "spark.sql.session.timeZone", zone);
    differential.check(
        "select id, year(a1), month(a1), day(a1), a1 + 3, a1 - 40, a1 < date '1582-10-15',"
            + " a1 >= date '1994-01-01' and a1 < date '1995-01-01' from edge where a1 <> a2",
        settings,
        FILTER_AND_PROJECT.kernels(
            "Year", "Month", "DayOfMonth", "DateAdd", "DateSub", "LessThan", "GreaterThanOrEqual"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void conditionalsMatchSpark(String ansi) {
    differential.check(
        "select id, case when i1 > 0 then l1 when i1 < 0 then l2 else 0 end,"
            + " if(z1, d1, d2), coalesce(i1, i2, 7), nullif(i1, i2), nvl(l1, -1),"
            + " i1 in (0, 1, -1, 2147483647), l1 in (0, null, 5) from edge where g >= 2",
        Map.of("spark.sql.ansi.enabled", ansi),
        FILTER_AND_PROJECT.kernels("CaseWhen", "If", "Coalesce", "In"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"b", "s", "i", "l", "f", "d", "n", "m", "a", "t"})
  void longListsMatchSpark(String type) {
    String list =
        IntStream.range(0, "ilfd".contains(type) ? 300 : 60)
            .mapToObj(i -> i % 3 == 0 ? Integer.toString(i) : Integer.toString(-i))
            .collect(Collectors.joining(", "));
    String values =
        switch (type) {
          case "a" ->
              "date '1582-10-15', date '1970-01-01', date '1582-10-04', date '0001-01-01',"
                  + " date '9999-12-31', date '1900-01-01', date '2000-02-29', date '1969-12-31',"
                  + " date '1994-01-01', date '1995-01-01', date '2038-01-19'";
          case "t" ->
              "timestamp_micros(0), timestamp_micros(-1), timestamp_micros(1),"
                  + " timestamp_seconds(1), timestamp_seconds(-1), timestamp_seconds(60),"
                  + " timestamp_seconds(86400), timestamp_seconds(3600), timestamp_seconds(2),"
                  + " timestamp_seconds(3)";
          default -> list;
        };
    differential.check(
        pair("select id, $1 in (" + values + "), $2 in (" + values + ", null) from edge", type),
        LEGACY,
        Coverage.of(Coverage.PROJECT));
  }

  @ParameterizedTest
  @MethodSource("numericTypes")
  void castsAmongNumbersMatchSpark(String type) {
    List<String> targets =
        List.of(
            "tinyint",
            "smallint",
            "int",
            "bigint",
            "float",
            "double",
            "decimal(10,2)",
            "decimal(38,6)",
            "boolean");
    for (String target : targets) {
      differential.check(
          pair("select id, $1, cast($1 as " + target + ") from edge where id >= 0", type),
          LEGACY,
          cast(type, target));
    }
  }

  /** What is a constant when the query runs is one when it is planned. */
  @Test
  void castsOfSubqueriesMatchSpark() {
    for (String bridge : List.of("", "ExpressionBridge")) {
      for (String cast : List.of("cast(%s as string)", "cast(cast(%s as string) as binary)")) {
        for (String number : List.of("id", "cast(null as smallint)")) {
          String subquery = "(select max(%s) from range(3))".formatted(number);
          differential.outcome(
              "select id, " + cast.formatted(subquery) + " from range(5)",
              Map.of("spark.ariadne.disable", bridge));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tinyint", "int", "bigint", "decimal(5,1)"})
  void castsRaiseSparksErrors(String target) {
    // Spark rounds long decimals to a double before they become a tinyint or an int.
    for (String type : NUMERIC) {
      differential.check(
          pair("select id, cast($1 as " + target + ") from single where id >= 0", type),
          ANSI,
          type.equals("h") && List.of("tinyint", "int").contains(target)
              ? PROJECT.bridged("Cast")
              : cast(type, target));
    }
  }

  /** Decimal to float has no kernel; a cast to itself vanishes. */
  private static Coverage cast(String type, String target) {
    boolean isDecimal = "nmh".contains(type);
    if (isDecimal && target.equals("float")) {
      return PROJECT.bridged("Cast");
    }
    return type.equals(typeLetter(target)) ? FILTER : PROJECT.kernels("Cast");
  }

  @ParameterizedTest
  @ValueSource(strings = {"c", "x", "t", "u", "h"})
  void otherTypesPassThroughFilters(String type) {
    differential.check(
        pair("select id, $1, $2 from edge where i1 > 0 and g is not null", type),
        LEGACY,
        FILTER.kernels("GreaterThan", "IsNotNull"));
  }

  /** All orders of zeros, NaN and null: of equal arguments the first counts, also of a constant. */
  @ParameterizedTest
  @CsvSource({"greatest, double", "least, double", "greatest, float", "least, float"})
  void extremesOfZerosMatchSpark(String function, String type) {
    writeZeros(type);
    // no two with the same arguments in another order, which Spark takes for one
    String calls =
        Stream.of(
                "v0, v1",
                "v2, v0",
                "v3, v2, v0",
                "v0, v1, v3",
                "v3, v1, v2, v0",
                "zero, v0",
                "v1, zero",
                "-zero, v0",
                "v1, -zero",
                "nan, v0, zero",
                "v1, nan, -zero",
                "-zero, v0, zero",
                "zero, v0, v1, -zero",
                "v0, null, -zero",
                "null, v2, v1",
                "v0, v0 * -1")
            .map(arguments -> function + "(" + arguments + ")")
            .collect(Collectors.joining(", "))
            .replace("zero", type + "('0.0')")
            .replace("nan", type + "('NaN')");
    differential.check(
        "select id, " + calls + " from zeros",
        LEGACY,
        PROJECT.kernels(function.equals("least") ? "Least" : "Greatest"));
    differential.check(
        "select id from zeros where string(" + function + "(v1, v0)) = '-0.0'",
        LEGACY,
        FILTER.kernels(function.equals("least") ? "Least" : "Greatest"));
  }

  /** Four columns with all combinations of zeros, NaN and null, one a row. */
  private void writeZeros(String type) {
    String columns =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    ("%1$s(case (id div %2$d) %% 4 when 0 then '0.0' when 1 then '-0.0'"
                            + " when 2 then 'NaN' end) v%3$d")
                        .formatted(type, 1 << (2 * i), i))
            .collect(Collectors.joining(", "));
    writeView(
        "zeros",
        session
            .sql("select int(id) id, " + columns + " from range(0, 256, 1, 1)")
            .write()
            .mode("overwrite"));
  }
}
