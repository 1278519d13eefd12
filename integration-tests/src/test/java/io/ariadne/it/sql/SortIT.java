package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that sorted rows are in the same places as Spark's. The last key is the unique {@code id},
 * so that there is one right order.
 */
class SortIT extends AbstractDifferentialIT {
  private static final Coverage SORT = Coverage.of("AriadneSort");

  private static final List<String> COLUMNS =
      List.of(
          "z1", "b1", "s1", "i1", "l1", "f1", "d1", "n1", "m1", "h1", "a1", "t1", "u1", "c1", "x1");

  private static final List<String> DIRECTIONS =
      List.of("asc nulls first", "asc nulls last", "desc nulls first", "desc nulls last");

  private void checkOrder(String sql, Map<String, String> settings) {
    checkOrder(sql, settings, SORT);
  }

  private void checkOrder(String sql, Map<String, String> settings, Coverage claim) {
    differential.check(sql, settings, claim);
    List<String> expected = rows(sql, settings, "false");
    List<String> actual = rows(sql, settings, "true");
    for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
      assertEquals(expected.get(i), actual.get(i), "row " + i + " of " + sql);
    }
    assertEquals(expected.size(), actual.size(), sql);
  }

  private List<String> rows(String sql, Map<String, String> settings, String enabled) {
    settings.forEach((key, value) -> session.conf().set(key, value));
    session.conf().set("spark.ariadne.enabled", enabled);
    try {
      List<String> rows = new ArrayList<>();
      for (Row row : session.sql(sql).collectAsList()) {
        rows.add(text(row));
      }
      return rows;
    } finally {
      session.conf().unset("spark.ariadne.enabled");
      settings.keySet().forEach(session.conf()::unset);
      settings().forEach((key, value) -> session.conf().set(key, value));
    }
  }

  private static String text(Row row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < row.length(); i++) {
      values.add(text(row.get(i)));
    }
    return values.toString();
  }

  private static String text(Object value) {
    if (value instanceof Row row) {
      return text(row);
    }
    return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void everyTypeInEveryDirectionMatchesSpark(String adaptive) {
    Map<String, String> settings = with(LEGACY, "spark.sql.adaptive.enabled", adaptive);
    int next = 0;
    for (String column : COLUMNS) {
      for (int d = 0; d < (adaptive.equals("true") ? 2 : 1); d++) {
        String direction = DIRECTIONS.get((next + 2 * d) % DIRECTIONS.size());
        String table = next++ % 3 == 0 ? "edge" : "single";
        String order = column + " " + direction + ", id";
        checkOrder("select * from " + table + " order by " + order, settings);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'g, c1 desc, i1 nulls last, id'",
    "'c1, c2, x1 desc, id desc'",
    "'z1 desc nulls last, z2, b1, s1 desc, id'",
    "'d1 desc nulls first, f1, id desc'",
    "'h1, m1 desc, n1, id'",
    "'length(c1), i1 + 1 desc nulls last, id'",
    "'c1 || c2 desc, id'",
    "'id % 10, id'"
  })
  void severalKeysMatchSpark(String order) {
    for (String table : List.of("edge", "single", "small", "one", "empty")) {
      String sql = "select * from " + table + " order by " + order;
      if (table.equals("empty") || table.equals("one")) {
        differential.checkHarmless(sql, LEGACY);
      } else {
        checkOrder(sql, LEGACY);
      }
    }
  }

  /** Nulls within them, empty ones, and such that begin like others. */
  private void writeNestedTable() {
    writeView(
        "nestedkeys",
        session
            .sql(
                "select id, if(id % 9 = 0, null, named_struct('a', i1, 'b', c1, 'f', d1)) s,"
                    + " if(id % 7 = 0, null, slice(array(b1, null, i1, 5), 1, cast(id % 5 as"
                    + " int))) l,"
                    + " slice(array(c1, c2, null), 1, cast(id % 4 as int)) t,"
                    + " array(named_struct('x', d1, 'y', array(b1)), if(z1, null, named_struct('x',"
                    + " f1, 'y', array(s1, b1)))) n,"
                    + " named_struct('m', m1, 'h', h1, 'z', z1, 'u', u1, 'x', x1, 'g', f1) w"
                    + " from edge")
            .write()
            .mode("overwrite"));
  }

  @Test
  void nestedKeysMatchSpark() {
    writeNestedTable();
    int next = 0;
    for (String key : List.of("s", "l", "t", "n", "w")) {
      for (int d = 0; d < 2; d++) {
        String direction = DIRECTIONS.get(next++ % DIRECTIONS.size());
        checkOrder("select * from nestedkeys order by " + key + " " + direction + ", id", LEGACY);
      }
    }
    checkOrder("select id from nestedkeys order by l, s desc nulls last, id", LEGACY);
    checkOrder("select id, w.m from nestedkeys order by struct(w.z, w.g) desc, id", LEGACY);
    checkOrder(
        "select id, n from nestedkeys order by n desc nulls last, id limit 100 offset 3",
        LEGACY,
        Coverage.of("AriadneTopN"));
    differential.check(
        "select id, row_number() over (partition by l order by s, id) r from nestedkeys",
        LEGACY,
        SORT.bridged("Murmur3Hash"));
  }

  @Test
  void orderWithinPartitionsMatchesSpark() {
    checkOrder("select id, c1, l1 from single sort by c1 desc, l1, id", LEGACY);
    checkOrder("select id, l1 from (select * from single where i1 > 0 sort by l1, id)", LEGACY);
  }

  @ParameterizedTest
  @CsvSource({
    "'select * from edge order by l1, id limit 10'",
    "'select * from single order by c1 desc nulls last, x1, id limit 100 offset 7'",
    "'select id, d1 from edge order by d1 desc, id limit 2999'",
    "'select id + 1, c1 from edge where i1 > 0 order by c1 || c2, id limit 50'",
    "'select id, t1 from edge order by t1, id limit 1'",
    "'select * from edge order by c1, id limit 200000'",
    "'select id, l1 from edge order by l1 desc, id limit 140000 offset 90'",
    "'select g, m from (select g, max(l1) m from edge group by g) order by m desc, g limit 3'",
    "'select a.id from (select id, i1 from edge order by i1, id limit 40) a join small b"
        + " on a.id = b.id order by a.id limit 5'"
  })
  void firstRowsMatchSpark(String sql) {
    for (String adaptive : List.of("true", "false")) {
      Map<String, String> settings = with(LEGACY, "spark.sql.adaptive.enabled", adaptive);
      checkOrder(sql, settings, Coverage.of("AriadneTopN"));
      checkOrder(sql, with(settings, "spark.ariadne.disable", ""), Coverage.of("AriadneTopN"));
    }
  }

  @Test
  void limitsMatchSpark() {
    for (String sql :
        List.of(
            "select id from edge order by id limit 0",
            "select * from small order by id limit 200000",
            "select id from edge order by id offset 2995",
            "select count(*) from (select id from edge limit 17)",
            "select count(*) from (select id from edge where i1 > 0 limit 17 offset 3)")) {
      differential.checkHarmless(sql, LEGACY);
    }
  }

  @Test
  void operatorsThatNeedAnOrderMatchSpark() {
    differential.check(
        "select id, row_number() over (partition by g order by i1, id) n from edge", LEGACY, SORT);
    differential.check(
        "select a.id, b.id from edge a join small b on a.i1 = b.i1",
        with(
            with(LEGACY, "spark.sql.autoBroadcastJoinThreshold", "-1"),
            "spark.ariadne.disable",
            "SortMergeJoinExec,TransitionCost"),
        SORT);
    differential.checkHarmless(
        "select g, first(i1), last(c1) from (select * from single order by g, id) group by g",
        LEGACY);
  }

  @Test
  void oneTaskMatchesSpark() {
    Map<String, String> settings = with(LEGACY, "spark.ariadne.disable", "");
    checkOrder("select * from edge order by c1 desc, l1, id", settings);
    checkOrder("select id, c1 || c2, x1 from edge order by d1, id desc", settings);
  }

  @Test
  void manyRowsMatchSpark() {
    String[] sources = {"id", "300000 - id", "1", "id % 7", "hash(id)", "concat('k', id % 1000)"};
    for (String source : sources) {
      String sorted = "select id, " + source + " k from range(0, 300000, 1, 4) order by k, id desc";
      checkOrder(
          "select k, id, lag(id) over (order by k, id desc) before from ("
              + sorted
              + ") order by k, id desc limit 3000",
          LEGACY,
          SORT);
    }
    checkOrder("select hash(id) k, id from range(0, 300000, 1, 4) order by k desc, id", LEGACY);
  }
}
