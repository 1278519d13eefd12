package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which joins are converted among other nodes, and which parts of a plan around a join can be
 * observed.
 */
class JoinPlanningIT extends AbstractJoinIT {
  @Test
  void existenceMatchesSpark() {
    for (String condition :
        List.of(
            "g in (select g from r where id < 9)",
            "exists (select 1 from r where r.i1 = l.i1)",
            "not exists (select 1 from r where r.i1 = l.i1 and r.c1 > l.c1)",
            "c1 in (select c1 from r where r.z1 = l.z1)")) {
      checkBothWays("select id from l where i2 > 50 or " + condition);
      differential.checkHarmless(
          "select id from l where not (z1 and %s)".formatted(condition), LEGACY);
      checkBothWays("select id, c1 from l where " + condition);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select /*+ broadcast(r, c) */ l.id, r.l1, c.c1 from l join r on l.g = r.g"
            + " join single c on r.id = c.id where c.i1 > 0",
        "select /*+ broadcast(r) */ r.g, count(*), sum(l.i1) from l join r on l.g = r.g"
            + " group by r.g",
        "select /*+ broadcast(b) */ a.id, b.n from edge a join"
            + " (select g, count(*) n from single group by g) b on a.g = b.g where b.n > 10",
        "select /*+ broadcast(b) */ a.g, b.n from (select g, count(*) m from edge group by g) a"
            + " join (select g, count(*) n from single group by g) b on a.g = b.g order by 1",
        "select /*+ merge(b) */ a.g, b.n from (select g, count(*) m from edge group by g) a"
            + " join (select g, count(*) n from single group by g) b on a.g = b.g order by 1",
        "select /*+ broadcast(b, c) */ count(*) from edge a join small b on a.g = b.g"
            + " join small c on a.g = c.g",
        "select /*+ broadcast(r) */ l.id, r.id from l join r on l.g = r.g"
            + " order by l.id desc, r.id limit 100",
        "select /*+ merge(r, c) */ count(*), sum(c.id) from l join r on l.id = r.id"
            + " join edge c on r.id = c.id",
        "select /*+ merge(r, c) */ count(*), sum(c.id) from l full join r on l.id = r.id"
            + " left join edge c on r.id = c.id",
        "select /*+ shuffle_hash(r), broadcast(c) */ l.g, count(c.id) from l left join r"
            + " on l.i1 = r.i1 left join small c on r.g = c.g and c.id > l.id group by l.g",
        "select /*+ shuffle_hash(r) */ l.id, r.n from l join (select id + 1 n, g, i1 from r"
            + " where i1 > 0 union all select id, g, i1 from small) r on l.i1 = r.i1",
        "with t as (select g, i1, max(c1) m from l group by g, i1)"
            + " select /*+ shuffle_hash(b) */ a.g, b.m from t a join t b on a.i1 = b.i1",
        "select /*+ broadcast(r) */ l.id, row_number() over (partition by r.g order by l.id, r.id)"
            + " from l join r on l.g = r.g and l.b1 = r.b1",
      })
  void matchesSparkAmongOtherNodes(String sql) {
    checkBothWays(sql);
  }

  /** Divisions by zero in rows without a pair raise nothing, as they are not computed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select /*+ broadcast(r) */ l.id, q from (select id, i1, 10 / i1 q from single) l"
            + " join (select id from r where id > 0) r on l.i1 = r.id",
        "select /*+ broadcast(r) */ l.id, q from (select id, i1, 10 / i1 q from single) l"
            + " left semi join (select id from r where id > 0) r on l.i1 = r.id",
        "select /*+ broadcast(r, s) */ l.id, q, r.id, s.id from (select id, g, i1, 10 / i1 q, c1"
            + " from single where l1 > 0) l join (select id from r where id > 0) r on l.i1 = r.id"
            + " join small s on l.g = s.g",
        "select /*+ broadcast(r, s) */ l.id, q, r.id, s.id from (select id, g, i1, 10 / i1 q, c1"
            + " from single where l1 > 0) l join small s on l.g = s.g"
            + " join (select id from r where id > 0) r on l.i1 = r.id",
        "select /*+ broadcast(r) */ l.g, q, r.id from (select g, count(*) c, 10 / min(id) q from l"
            + " group by g) l join r on l.c = r.id",
        "select /*+ broadcast(r) */ q, count(*) from (select id, i1, 10 / i1 q from single) l"
            + " join (select id from r where id > 0) r on l.i1 = r.id group by q",
      })
  void projectionsThatMayRaise(String sql) {
    check(sql, with(ANSI, "spark.sql.adaptive.enabled", "true"));
    check(sql, with(ANSI, "spark.sql.adaptive.enabled", "false"));
  }

  /** They raise where Spark does: for rows with a pair, and for all rows where it needs them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select /*+ broadcast(r) */ l.id, q from (select id, i1, 10 / i1 q from single) l"
            + " join (select id - 1 id from r) r on l.i1 = r.id",
        "select /*+ broadcast(r) */ l.id, q from (select id, i1, 10 / i1 q from single) l"
            + " left join r on l.i1 = r.id",
        "select /*+ broadcast(r) */ l.id, q from (select id, i1, 10 / i1 q from single) l"
            + " join r on l.q = r.id",
        "select /*+ broadcast(r) */ l.id, q from (select id, i1, 10 / i1 q from single) l"
            + " join (select id, d1 from r where id > 0) r on l.i1 = r.id and l.q > r.d1",
        "select /*+ shuffle_hash(r) */ l.id, q from (select id, i1, 10 / i1 q from single) l"
            + " join (select id from r where id > 0) r on l.i1 = r.id",
        "select /*+ broadcast(r) */ l.id, q from (select id, i1, 10 / i1 q from single) l"
            + " join (select id, 1 / id x from r where id > 0) r on l.i1 = r.id and q > x",
        "select /*+ broadcast(r) */ l.id, q from (select id, i1, 10 / i1 q from single) l"
            + " join (select id, d1 from r where id > 0) r on l.i1 = r.id where q + r.id > 1.5",
        "select l.id, r.id from l join r on l.a1 = r.t1",
        "select l.id, r.id from l join r on l.u1 = r.t1",
      })
  void projectionsThatRaise(String sql) {
    differential.checkHarmless(sql, with(ANSI, "spark.sql.adaptive.enabled", "true"));
    differential.checkHarmless(sql, with(ANSI, "spark.sql.adaptive.enabled", "false"));
  }

  @Test
  void conditionsThatMayRaiseStay() {
    String sql = "select l.id, r.id from l join r on l.g = r.g and l.i1 / r.i1 > 1";
    assertFalse(joins(differential.outcome(sql, ANSI)), sql);
    check("select l.id, r.id from l join r on l.g = r.g and l.i1 > r.i1", ANSI);
  }

  /** Equal by their collation, not by their bytes. */
  @Test
  void joinsByCollatedKeysStayWithSpark() {
    if (!session.version().startsWith("4.")) {
      return;
    }
    for (String hint : List.of("broadcast(r)", "shuffle_hash(r)", "merge(r)")) {
      String sql =
          "select /*+ %s */ l.id, r.id from (select id, collate(c1, 'UTF8_LCASE') k from l) l"
                  .formatted(hint)
              + " join (select id, collate(c1, 'UTF8_LCASE') k from r) r on l.k = r.k";
      Outcome outcome = differential.outcome(sql, LEGACY);
      assertTrue(outcome.rows().size() > 0);
      assertFalse(joins(outcome), sql);
    }
  }

  /** Spark has left out sorts, as its joins yield an order. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void keepsTheOrderOfAMergeThatAnOperatorNeeds(String adaptive) {
    Map<String, String> settings = adaptive(adaptive);
    for (String sql :
        List.of(
            "select /*+ merge(r) */ l.id, r.l1 from l join r on l.id = r.id sort by l.id",
            "select id, k, max(c1) over (partition by k) from (select /*+ merge(r) */ l.id, l.i1"
                + " k, r.c1 from l join r on l.i1 = r.i1)",
            "select count(id), min(id), max(id) from (select /*+ merge(r) */ l.id from l left join"
                + " r on l.id = r.id sort by l.id limit 100)",
            "select g, collect_list(id) from (select /*+ merge(r) */ l.g, l.id from l join r"
                + " on l.id = r.id and l.g = r.g sort by l.id, l.g) group by g")) {
      differential.checkHarmless(sql, settings);
      assertEquals(rows(sql, settings, "false"), rows(sql, settings, "true"), sql);
    }
    check(
        "select id, row_number() over (partition by k order by id, rid) from (select /*+ merge(r)"
            + " */ l.id, r.id rid, l.i1 k from l join r on l.i1 = r.i1)",
        settings);
  }

  /** Returns the rows as they come. */
  private List<String> rows(String sql, Map<String, String> settings, String enabled) {
    settings.forEach((key, value) -> session.conf().set(key, value));
    session.conf().set("spark.ariadne.enabled", enabled);
    try {
      List<String> rows = new ArrayList<>();
      for (Row row : session.sql(sql).collectAsList()) {
        rows.add(row.toString());
      }
      return rows;
    } finally {
      session.conf().unset("spark.ariadne.enabled");
      settings.keySet().forEach(session.conf()::unset);
    }
  }

  /** A broadcast join of ours keeps the order of the other side's rows, as Spark's does. */
  @Test
  void orderOfABroadcastJoinMatchesSpark() {
    for (String kind : List.of("join", "left join", "left semi join", "left anti join")) {
      String sql =
          "select /*+ broadcast(r) */ l.id, l.c1 from single l %s r on l.id = r.id * 7"
              .formatted(kind);
      check(sql, LEGACY);
      assertEquals(rows(sql, LEGACY, "false"), rows(sql, LEGACY, "true"), sql);
    }
  }

  /** No operator needs the order of the sort-merge join. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void mergesAtTheRoot(String adaptive) {
    for (String kind : List.of("join", "left join", "full join", "left semi join")) {
      check(
          "select /*+ merge(r) */ l.* from l %s r on l.id = r.id".formatted(kind),
          adaptive(adaptive));
    }
  }

  /** Spark does not guarantee which rows come first where the query does not sort. */
  @ParameterizedTest
  @ValueSource(strings = {"broadcast(r)", "shuffle_hash(r)", "merge(r)"})
  void whereAnyRowsMayComeFirst(String hint) {
    for (String key : List.of("g", "z1", "c1")) {
      String join = pairs(hint, "l join r on l.%s = r.%s".formatted(key, key));
      for (String sql :
          List.of(
              "select id, sort_array(collect_list(rid)) from %s group by id",
              "select id, count(first(id)) over () from %s group by id",
              "select count(id), count(rid) from (select id, rid from %s limit 77)",
              "select count(id), count(rid) from (select * from %s limit 301 offset 7)")) {
        String query = sql.formatted(join);
        assertTrue(joins(differential.outcome(query, adaptive("false"))), query);
      }
    }
  }

  /**
   * A task that is repeated gives every row the same again: ours put rows of a key in any order.
   */
  @ParameterizedTest
  @ValueSource(strings = {"broadcast(r)", "shuffle_hash(r)", "merge(r)"})
  void whereThePlaceOfRowsShows(String hint) {
    List<String> joins = new ArrayList<>();
    joins.add(pairs(hint, "(select id, 1 g from l where id < 3) l join hot r on l.g = r.g"));
    for (String key : List.of("g", "z1", "c1")) {
      joins.add(pairs(hint, "l join r on l.%s = r.%s".formatted(key, key)));
    }
    for (String join : joins) {
      for (String sql :
          List.of(
              "select sum(m * rid) from (select rid, monotonically_increasing_id() m from %s)",
              "select sum(rid) from %s where rand(7) < 0.5",
              "select id, rid from %s tablesample (30 percent) repeatable (3)")) {
        String query = sql.formatted(join);
        assertFalse(joins(differential.outcome(query, adaptive("false"))), query);
      }
    }
  }

  private static String pairs(String hint, String join) {
    return "(select /*+ %s */ l.id, r.id rid, r.d1 from %s)".formatted(hint, join);
  }
}
