package io.ariadne.it.fuzz;

import java.util.List;
import java.util.Map;

/** Constants in SQL: of each kind, and what functions take as text. */
final class Literals {
  private static final Map<String, List<String>> NAMED =
      Map.of(
          "small", List.of("0", "1", "2", "3", "5"),
          "pattern",
              List.of("'%a%'", "'a%'", "'%m'", "'_'", "'a_c%l'", "''", "'%'", "'%1%'", "'ä%'"),
          "regex", List.of("'[a-z]+'", "'\\\\d'", "'a|b'", "','", "'^1'", "'.'"),
          "zone",
              List.of(
                  "'America/New_York'", "'Asia/Kolkata'", "'UTC'", "'+03:30'", "'Europe/Paris'"),
          "part",
              List.of(
                  "YEAR",
                  "QUARTER",
                  "MONTH",
                  "WEEK",
                  "DAY",
                  "DOW",
                  "DOY",
                  "YEAROFWEEK",
                  "DAYOFWEEK_ISO"),
          "unit", List.of("'YEAR'", "'QUARTER'", "'MONTH'", "'WEEK'"),
          "format", List.of("'yyyy-MM-dd'", "'yyyy-MM-dd HH:mm:ss'", "'dd/MM/yyyy'"),
          "word", List.of("'a'", "''", "'abc'", "'k'", "','", "'ä'", "'1'", "'abcdefghijklmnop'"));

  private static final Map<Kind, List<String>> EXTREME =
      Map.ofEntries(
          Map.entry(Kind.BOOLEAN, List.of("true", "false")),
          Map.entry(Kind.BYTE, List.of("0Y", "1Y", "-1Y", "127Y", "CAST(-128 AS tinyint)")),
          Map.entry(Kind.SHORT, List.of("0S", "3S", "-7S", "32767S", "CAST(-32768 AS smallint)")),
          Map.entry(Kind.INT, List.of("0", "1", "-1", "42", "2147483647", "-2147483648")),
          Map.entry(
              Kind.LONG,
              List.of("0L", "1L", "-1L", "1000L", "9223372036854775807L", "-9223372036854775808L")),
          Map.entry(
              Kind.FLOAT,
              List.of("0.0F", "-0.0F", "1.5F", "CAST('NaN' AS float)", "-3.4028234E38F", "100F")),
          Map.entry(
              Kind.DOUBLE,
              List.of(
                  "0.0D",
                  "-0.0D",
                  "1.5D",
                  "CAST('NaN' AS double)",
                  "CAST('-Infinity' AS double)",
                  "1E10D",
                  "-50.25D")),
          Map.entry(
              Kind.DECIMAL,
              List.of("0.0BD", "1.50BD", "-0.01BD", "99999999.9999BD", "3BD", "1E10BD", "-17.5BD")),
          Map.entry(
              Kind.DATE,
              List.of(
                  "DATE'1970-01-01'",
                  "DATE'2000-02-29'",
                  "DATE'1582-10-15'",
                  "DATE'9999-12-31'",
                  "DATE'1996-03-30'")),
          Map.entry(
              Kind.TIMESTAMP,
              List.of(
                  "TIMESTAMP'1970-01-01 00:00:00'",
                  "TIMESTAMP'2000-02-29 23:59:59.999999'",
                  "TIMESTAMP'1996-03-31 02:30:00'",
                  "TIMESTAMP'1900-01-01 12:00:00'")),
          Map.entry(
              Kind.NTZ,
              List.of(
                  "TIMESTAMP_NTZ'1970-01-01 00:00:00'",
                  "TIMESTAMP_NTZ'1999-12-31 23:59:59.999999'")),
          Map.entry(
              Kind.YEARS,
              List.of(
                  "INTERVAL '0-0' YEAR TO MONTH",
                  "INTERVAL '1-2' YEAR TO MONTH",
                  "INTERVAL '-100-11' YEAR TO MONTH")),
          Map.entry(
              Kind.DAYS,
              List.of(
                  "INTERVAL '0 00:00:00' DAY TO SECOND",
                  "INTERVAL '1 02:03:04.5' DAY TO SECOND",
                  "INTERVAL '-400 23:59:59.999999' DAY TO SECOND")),
          Map.entry(
              Kind.STRING,
              List.of(
                  "''", "'a'", "'abcdefghijkl'", "'abcdefghijklm'", "'ä'", "'1'", "' '", "'zz'")),
          Map.entry(Kind.BINARY, List.of("X''", "X'00'", "X'616263'", "X'FF80'")),
          Map.entry(
              Kind.INTS,
              List.of("array(1, 2, CAST(NULL AS int))", "CAST(array() AS array<int>)", "array(7)")),
          Map.entry(
              Kind.STRINGS, List.of("array('a', 'b')", "array('abc', CAST(NULL AS string), '')")),
          Map.entry(
              Kind.STRUCT,
              List.of(
                  "named_struct('a', 1, 'b', 'x')",
                  "named_struct('a', CAST(NULL AS int), 'b', 'y')")),
          Map.entry(
              Kind.STRUCTS,
              List.of(
                  "array(named_struct('a', 1, 'b', 'x'), named_struct('a', 0, 'b', ''))",
                  "array(named_struct('a', CAST(NULL AS int), 'b', 'y'), NULL)")),
          Map.entry(Kind.MAP, List.of("map('k', 1)", "map('a', 2, 'l', CAST(NULL AS int))")));

  private Literals() {}

  /** Returns a constant of a kind, seldom null. */
  static SqlNode of(Kind kind, Chance chance) {
    return chance.percent(6) ? nullOf(kind) : SqlNode.leaf(kind, chance.pick(EXTREME.get(kind)));
  }

  static SqlNode nullOf(Kind kind) {
    return SqlNode.leaf(kind, "CAST(NULL AS " + kind.sql() + ")");
  }

  /** Returns the first constant of a kind. */
  static SqlNode first(Kind kind) {
    return SqlNode.leaf(kind, EXTREME.get(kind).get(0));
  }

  /** Returns one of the constants of a name, for example {@code zone}. */
  static SqlNode named(String name, Chance chance) {
    List<String> values = NAMED.get(name);
    if (values == null) {
      throw new IllegalArgumentException("no constants are called " + name);
    }
    return SqlNode.text(chance.pick(values));
  }
}
