package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.rules.ExecutedPlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Strings that do not compare by their bytes: made of plain columns by expressions that are keys of
 * every kind, or columns themselves. The table {@code words} has each word in spellings that some
 * collation takes for one.
 */
class CollationIT extends AbstractDifferentialIT {
  private static final Map<String, String> SHUFFLED = shuffled();

  private static Map<String, String> shuffled() {
    Map<String, String> settings = new LinkedHashMap<>(LEGACY);
    settings.put("spark.sql.autoBroadcastJoinThreshold", "-1");
    settings.put("spark.sql.adaptive.enabled", "false");
    return settings;
  }

  @Override
  @BeforeAll
  void start() {
    assumeTrue(
        !org.apache.spark.package$.MODULE$.SPARK_VERSION().startsWith("3."),
        "this line of Spark has no collations");
    super.start();
    writeView(
        "words",
        session
            .range(0, 240, 1, 3)
            .selectExpr("cast(id as int) id", "cast(id % 7 as int) g", "'word' || id % 20 w")
            .selectExpr(
                "id",
                "g",
                "case g when 0 then upper(w) when 1 then initcap(w) when 2 then w || '  ' else w"
                    + " end s",
                "if(id % 11 = 0, null, upper(w)) t")
            .write());
  }

  /** {@code {c}} is the collation's clause. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select x.id, y.id from words x join words y on x.s {c} = y.s {c}",
        "select x.id, y.id from words x join words y on x.s {c} = y.s {c} and x.g = y.g",
        "select x.id, y.id from words x left join words y on x.s {c} = y.t {c} and y.id < 20",
        "select x.id, y.id from words x full join words y on x.s {c} = y.t {c} and y.id < 20",
        "select id from words x where not exists (select * from words y where y.g = 0"
            + " and x.s {c} = y.s {c})",
        "select id from words x where exists (select * from words y where y.g = 0"
            + " and x.s {c} = y.s {c})",
        "select id from words where t {c} in (select s from words where g = 1)",
        "select id from words where t {c} not in (select s from words where g = 1 and id < 60)",
        "select x.id, y.id from (select id, s {c} k from words) x join (select id, s {c} k from"
            + " words) y on x.k = y.k",
        "select x.id, y.id from words x join words y on struct(x.s {c}, x.g) = struct(y.s {c},"
            + " y.g)",
        "select x.id, y.id from words x join words y on array(x.s {c}) = array(y.s {c})",
        "select min(id), max(id), count(*) from words group by s {c}",
        "select min(id), count(distinct g) from words group by s {c}, g % 2",
        "select count(distinct s {c}), count(distinct t {c}, g) from words",
        "select min(id), count(*) from words group by struct(s {c} as a, g)",
        "select min(id), count(*) from words group by array(s {c})",
        "select g, count(s {c}), lower(min(s {c})), lower(max(s {c})) from words group by g",
        "select approx_count_distinct(s {c}) from words",
        "select g, max_by(id, t {c}), lower(mode(t {c})) from words where id < 9 group by g",
        "select id, s from words order by s {c}, id limit 33",
        "select id, rank() over (partition by s {c} order by id) from words",
        "select id, dense_rank() over (partition by g order by s {c}) from words",
        "select count(*) from (select s {c} from words union select t {c} from words)",
        "select count(*) from (select s {c} from words where g < 3 intersect select t {c} from"
            + " words)",
        "select count(*) from (select s {c} from words except select t {c} from words where g = 0)",
      })
  void keysOfExpressionsMatchSpark(String sql) {
    checkRan(sql.replace("{c}", "collate UTF8_LCASE"), SHUFFLED);
  }

  /** Where a row goes is what is compared: it is Spark's partition. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, spark_partition_id() from (select * from words distribute by s {c})",
        "select id, spark_partition_id() from (select * from words distribute by g, t {c})",
        "select id, spark_partition_id() from (select * from words distribute by struct(s {c}))",
        "select /*+ repartition(5, s) */ s, id from (select s {c} s, id from words)",
      })
  void rowsOfExchangesAreInSparksPartitions(String sql) {
    for (String collation : List.of("UTF8_LCASE", "UNICODE_CI")) {
      Outcome outcome = checkRan(sql.replace("{c}", "collate " + collation), SHUFFLED);
      assertTrue(PlanNodes.of(outcome.plan(), AriadneShuffleExchangeExec.class).isEmpty(), sql);
    }
    String plain = sql.replace("{c}", "collate UTF8_BINARY");
    Outcome outcome = checkRan(plain, SHUFFLED);
    assertEquals(1, PlanNodes.of(outcome.plan(), AriadneShuffleExchangeExec.class).size(), plain);
  }

  @Test
  void functionsMatchSpark() {
    String calls =
        Stream.of(
                "s {c} = t {c}",
                "s {c} <=> 'WORD3'",
                "s {c} < 'WORD3'",
                "s {c} in ('WORD3', 'word4')",
                "s {c} in ('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'WORD3')",
                "startswith(s {c}, 'WORD')",
                "contains(s {c}, 'OR')",
                "instr(s {c}, 'OR')",
                "greatest(s {c}, 'WORD3') = 'word3'",
                "case s {c} when 'WORD3' then true else false end",
                "nvl(s {c}, 'WORD3') = 'WORD3'",
                "array_contains(array(s {c}), 'WORD3')",
                "size(array_distinct(array(s {c}, t {c})))",
                "arrays_overlap(array(s {c}), array(t {c}))",
                "array_position(array('x', s {c}), 'WORD3')",
                "struct(s {c}, g) = struct('WORD3', 3)",
                "array(s {c}) < array('WORD3')",
                "map('a', s {c})['a'] = 'WORD3'",
                "replace(s {c}, 'WORD', 'x') = 'x3'",
                "hash(s {c})",
                "xxhash64(s {c}, g)",
                "s {c} = (select max(t) from words where g = 3)")
            .collect(Collectors.joining(", "))
            .replace("{c}", "collate UNICODE_CI");
    Outcome outcome = checkRan("select id, " + calls + " from words", LEGACY);
    assertFalse(ExecutedPlan.of(outcome.plan()).named(Coverage.PROJECT).isEmpty());
    checkRan("select id from words where s collate UNICODE_CI in ('WORD3', 'word4')", LEGACY);
    checkRan("select g, count_if(s collate UTF8_LCASE < 'WORD4') from words group by g", LEGACY);
  }

  /** Every setting is at its default; half of the pairs are of two spellings. */
  @Test
  void pairsOfManyRowsMatchSpark() {
    writeView(
        "pairs",
        session
            .range(0, 60_000)
            .selectExpr("id k", "if(id % 2 = 0, 'KEY', 'key') || id div 2 s")
            .write());
    String sql =
        "select /*+ merge(y) */ count(*), sum(x.k * y.k) from pairs x join pairs y"
            + " on x.s collate UTF8_LCASE = y.s collate UTF8_LCASE";
    Outcome outcome = differential.outcome(sql, Map.of());
    assertTrue(outcome.rows().get(0).startsWith("120000|"), outcome::toString);
  }

  /** Columns of such types enter no fragment; the others beside them do. */
  @Test
  void columnsMatchSpark() {
    session.sql("drop table if exists lower_words");
    session.sql(
        "create table lower_words (id int, s string, c string collate UNICODE_CI, b string collate"
            + " UTF8_BINARY) using parquet default collation UTF8_LCASE");
    session.sql("insert into lower_words select id, s, s, s from words");
    try {
      for (String sql :
          List.of(
              "select count(*) from lower_words where s = 'WORD3'",
              "select count(*) from lower_words where b = 'WORD3'",
              "select min(id), count(*) from lower_words group by s",
              "select x.id, y.id from lower_words x join lower_words y on x.c = y.c",
              "select /*+ broadcast(y) */ x.id, y.id from lower_words x join lower_words y"
                  + " on x.s = y.s",
              "select id from lower_words where id % 3 = 0 order by c, id limit 20",
              "select id, s from lower_words distribute by c")) {
        differential.checkHarmless(sql, SHUFFLED);
        differential.checkHarmless(sql, Map.of());
      }
      checkRan("select b, count(*) from lower_words where id > 7 group by b", LEGACY);
    } finally {
      session.sql("drop table lower_words");
    }
  }

  /** Strings of a fixed length, as types of their own and as padded strings. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void fixedLengthsMatchSpark(String preserve) {
    Map<String, String> settings =
        with(SHUFFLED, "spark.sql.preserveCharVarcharTypeInfo", preserve);
    session.sql("drop table if exists fixed");
    session.sql("create table fixed (id int, c char(8), v varchar(9)) using parquet");
    session.sql("insert into fixed select id, trim(s), t from words");
    try {
      for (String sql :
          List.of(
              "select count(id), count(v) from fixed where c = 'word3'",
              "select id from fixed where c in ('word3', 'WORD7   ')",
              "select id from fixed where cast(id as char(4)) = '17'",
              "select x.id, y.id from fixed x join fixed y on x.c = y.v",
              "select x.id, y.id from words x join words y"
                  + " on cast(x.id as char(4)) = cast(y.id as varchar(4))",
              "select cast(id as char(4)), count(*) from words group by cast(id as char(4))",
              "select id, spark_partition_id() from (select * from words distribute by"
                  + " cast(s as char(12)))",
              "select id from words order by cast(s as varchar(12)), id limit 9",
              "select max(c), min(v), count(distinct c) from fixed")) {
        Outcome outcome = differential.outcome(sql, settings);
        assertTrue(outcome.rows() != null, outcome::toString);
      }
      checkRan("select id, count(*) from fixed where id % 3 = 0 group by id", settings);
    } finally {
      session.sql("drop table fixed");
    }
  }

  /** Compares, and requires that something ran on Ariadne. */
  private Outcome checkRan(String sql, Map<String, String> settings) {
    Outcome outcome = differential.outcome(sql, settings);
    assertTrue(outcome.rows() != null && !outcome.rows().isEmpty(), () -> sql + outcome);
    assertTrue(ExecutedPlan.of(outcome.plan()).hasRun(), () -> sql + "\n" + outcome.plan());
    return outcome;
  }
}
