package io.ariadne.it.sql;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions of strings against Spark: dictionary columns and plain ones, literals and columns. */
class StringsIT extends AbstractDifferentialIT {
  private static final Coverage PROJECT = Coverage.of(Coverage.PROJECT);
  private static final Coverage FILTER = Coverage.of(Coverage.FILTER);
  private static final List<String> TABLES = List.of("coded", "plain");

  static Stream<String> tables() {
    return TABLES.stream();
  }

  @BeforeAll
  void writeTables() {
    StringTables tables = new StringTables(seed);
    tables.register(session, "coded", folder.resolve("coded"), 3000, true);
    tables.register(session, "plain", folder.resolve("plain"), 3000, false);
  }

  private void checkBothModes(String sql, Coverage coverage) {
    differential.check(sql, LEGACY, coverage);
    differential.check(sql, ANSI, coverage);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void comparisonsMatchSpark(String table) {
    checkBothModes(
        "select id, s = t, s <=> t, s < t, s <= t, s > t, s >= t, s <> t, u < s, s = 'a',"
            + " s <=> 'abcdefghijkl', s = 'abcdefghijklm', s < 'abcdefghijkLm', s >= '', 'a' < t,"
            + " t = '😀', u > 'Hello World, this is a long string', s <=> null from "
            + table
            + " where id >= 0",
        PROJECT.kernels(
            "EqualTo",
            "EqualNullSafe",
            "LessThan",
            "LessThanOrEqual",
            "GreaterThan",
            "GreaterThanOrEqual"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void listsMatchSpark(String table) {
    checkBothModes(
        "select id, s in ('a', '', 'abcdefghijklm'), s in ('a', null), t not in ('ä', 'x%y_z'),"
            + " s in ('1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13')"
            + " from "
            + table
            + " where id >= 0",
        PROJECT.kernels("In", "InSet"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void partsAtTheEndsAndInside(String table) {
    checkBothModes(
        "select id, startswith(s, t), endswith(s, t), contains(u, s), contains(s, s),"
            + " startswith(s, 'ab'), endswith(u, 'b'), contains(u, 'ab'), contains(t, ''),"
            + " startswith('abcdefghijklmno', s), contains('hello world, hello', t) from "
            + table
            + " where id >= 0",
        PROJECT.kernels("StartsWith", "EndsWith", "Contains"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void likeMatchesSpark(String table) {
    checkBothModes(
        "select id, s like '%b%b%', u like '%a%b%c%', s like 'a_c%', s like '_', u like '__a%',"
            + " s like '%😀' or s like '_b%', t like 'x!%y!_z' escape '!', s like '%ö%_',"
            + " s like r'a\\\\b', u like '%', s like '%_', s like 'a%b%', s not like '%x%y%' from "
            + table
            + " where id >= 0",
        PROJECT.kernels("Like"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void likeAnyAndAllMatchSpark(String table) {
    differential.check(
        "select id, s like any ('%b%b%', 'x_x%'), u like all ('%a%b%', '%c_d%'),"
            + " s not like all ('_', '%a_'), s not like any ('_b%', '%l_') from "
            + table
            + " where id >= 0",
        LEGACY,
        PROJECT.kernels("LikeAny", "LikeAll", "NotLikeAll", "NotLikeAny"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void numbersOfStringsMatchSpark(String table) {
    checkBothModes(
        "select id, length(s), octet_length(u), bit_length(s), length(cast(u as binary)), ascii(s),"
            + " instr(s, 'b'), instr(u, s), locate('b', u, 3), position('c' in t), instr(s, ''),"
            + " locate('l', s, 20), length(s) + length(t), instr('hello world', s) from "
            + table
            + " where id >= 0",
        PROJECT.kernels(
            "Length", "OctetLength", "BitLength", "Ascii", "StringInstr", "StringLocate", "Cast"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void castsMatchSpark(String table) {
    checkBothModes(
        "select id, cast(id as string), cast(cast(id as string) as int), try_cast(s as int),"
            + " try_cast(concat('2020-01-', cast(id as string)) as date), try_cast(u as boolean),"
            + " try_cast(concat(cast(id as string), '.25') as decimal(9, 1)),"
            + " cast(cast(id > 7 as string) as boolean), coalesce(try_cast(t as bigint), -1)"
            + " from "
            + table
            + " where id >= 0",
        PROJECT.kernels("Cast", "Concat"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void partsOfStringsMatchSpark(String table) {
    checkBothModes(
        "select id, substring(s, 2, 3), substring(u, -5, 3), substring(s, n, k), substr(t, 2),"
            + " left(s, 2), right(u, 14), substring(u, 0, 13), trim(s), ltrim(s), rtrim(s),"
            + " trim(both 'ab' from u), trim(leading 'x' from s), trim(trailing 'b ' from s),"
            + " length(trim(substring(u, 3, 20))), substring(trim(s), 1, 2) = 'he' from "
            + table
            + " where id >= 0",
        PROJECT.kernels(
            "Substring", "StringTrim", "StringTrimLeft", "StringTrimRight", "Length", "EqualTo"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void conditionalsMatchSpark(String table) {
    checkBothModes(
        "select id, if(n > 0, s, 'none'), case when k = 1 then 'one' when k = 2 then null"
            + " when n < 0 then 'negative' else '' end, coalesce(s, 'null'), nullif(s, 'a'),"
            + " case when s like '%b%b%' then substring(s, 2, 4) else s end, coalesce(s, 'a') = 'a'"
            + " from "
            + table
            + " where id >= 0",
        PROJECT.kernels("If", "CaseWhen", "Coalesce", "Like"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void filtersMatchSpark(String table) {
    String select = "select id, s, u from " + table + " where ";
    checkBothModes(select + "s like '%b%b%' and u > s and length(t) > 2", FILTER.kernels("Like"));
    checkBothModes(select + "s = 'abcdefghijklm' or t like '%_b'", FILTER.kernels("EqualTo"));
    checkBothModes(select + "n > 0 and (substring(s, 1, 1) = 'a' or s is null)", FILTER);
    checkBothModes(select + "s in ('a', 'ä', '😀') and not contains(u, 'abc')", FILTER);
    checkBothModes(select + "s between 'a' and 'b' or u < 'b'", FILTER);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void madeStringsMatchSpark(String table) {
    checkBothModes(
        "select id, concat(s, t), s || '-' || u || '!', concat(s, u, t, s, 'ab', u, t, s),"
            + " concat(t, s) = 'aa', reverse(substring(u, 1, 30)), repeat(t, 3),"
            + " repeat(s, k), lpad(s, 10, 'ab'), rpad(u, 20), lpad(t, n, 'é€'), rpad(s, 15, t),"
            + " replace(u, 'ab', 'X'), replace(s, t), replace(u, 'a', s), hex(s), hex(t) from "
            + table
            + " where id >= 0",
        PROJECT.kernels(
            "Concat",
            "Reverse",
            "StringRepeat",
            "StringLPad",
            "StringRPad",
            "StringReplace",
            "Hex"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void oneOfSeveralColumnsMatchesSpark(String table) {
    checkBothModes(
        "select id, if(n > 0, s, t), case when k = 1 then u when k = 2 then null when n < 0 then s"
            + " else concat(s, t) end, coalesce(s, t, u), nvl(t, 'a constant of many bytes'),"
            + " case when n > 0 then 'a constant of many bytes' when n < 0 then 'another of many'"
            + " end, greatest(s, t, u), least(s, t, 'b'), length(if(k = 1, s, u)), nvl2(s, t, u),"
            + " if(k > 1, substring(u, 2), trim(s)) like '%a%' from "
            + table
            + " where id >= 0",
        PROJECT.kernels("If", "CaseWhen", "Coalesce", "Greatest", "Least", "Length", "Contains"));
  }

  @Test
  void groupsByOneOfSeveralConstants() {
    differential.check(
        "select case when n > 0 then 'a constant of many bytes' when n < 0 then 'another of many'"
            + " end g, if(k = 1, s, t) h, count(*), min(if(n > 0, s, t)) from coded group by 1, 2",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).kernels("CaseWhen", "If").aggregates("count", "min"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void partsBetweenDelimitersMatchSpark(String table) {
    checkBothModes(
        "select id, split_part(u, 'b', 2), split_part(s, t, -1), split_part(u, 'a', 100),"
            + " substring_index(u, 'a', 2), substring_index(u, 'ab', -1), substring_index(u, t, n),"
            + " concat_ws('-', s, t, u), concat_ws(t, s, 'x', u), overlay(s, t, 2),"
            + " overlay(u, 'XY', n, k), overlay(u, s, -3, 2) from "
            + table
            + " where id >= 0",
        PROJECT.kernels("ElementAt", "SubstringIndex", "ConcatWs", "Overlay"));
    checkBothModes(
        "select id, concat_ws(t, s, 'x', null, u) from " + table, PROJECT.bridged("ConcatWs"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void otherCharactersMatchSpark(String table) {
    checkBothModes(
        "select id, translate(s, 'abé', 'x€'), translate(u, t, s), initcap(u), chr(n), chr(id),"
            + " hex(n), bin(id), space(k), unhex(hex(s)), unhex(u), base64(cast(u as binary)),"
            + " cast(cast(s as binary) as string) from "
            + table
            + " where id >= 0",
        PROJECT.kernels(
            "StringTranslate",
            "InitCap",
            "Chr",
            "Hex",
            "Bin",
            "StringSpace",
            "Unhex",
            "StaticInvoke",
            "Cast"));
    checkBothModes(
        "select id, unbase64(base64(cast(s as binary))) from " + table + " where id >= 0",
        PROJECT.kernels("UnBase64", "StaticInvoke"));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void casesMatchSpark(String table) {
    String select = "select id, upper(s), lower(trim(u)), upper(concat(s, 'x')) from " + table;
    checkBothModes(select + " where id >= 0", PROJECT.kernels("Upper", "Lower", "Concat"));
    checkBothModes(
        select + " where u is not null and u not rlike '[^a-zA-Z ]'",
        Coverage.of(Coverage.PROJECT, Coverage.FILTER).kernels("Upper", "Lower").bridged("RLike"));
    checkBothModes(
        "select id from " + table + " where s ilike '%L%o%' or upper(t) = 'A'",
        FILTER.kernels("Lower", "Like"));
  }

  @Test
  void groupsByPartsOfStrings() {
    differential.check(
        "select substring(s, 1, 2), count(*), sum(length(u)) from plain group by 1",
        LEGACY,
        Coverage.of(Coverage.AGGREGATE).kernels("Substring", "Length"));
    differential.check(
        "select case when s like '%b%b%' then 'yes' else 'no' end, count(*) from coded group by 1",
        LEGACY, Coverage.of(Coverage.AGGREGATE).kernels("CaseWhen", "Like"));
  }
}
