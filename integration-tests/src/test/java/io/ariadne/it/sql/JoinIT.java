package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Joins of all kinds against Spark's: with every type of key, with conditions, duplicates, nulls
 * and empty sides, in the three ways Spark plans them. {@code l} has 600 rows in three files,
 * {@code r} 150 in two.
 */
class JoinIT extends AbstractDifferentialIT {
  private static final Coverage JOIN = Coverage.of("AriadneHashJoin");

  private static final List<String> KINDS =
      List.of("inner", "left", "right", "full", "left semi", "left anti", "existence");

  /** What Spark may be told to do with a kind of join. */
  private static List<String> hints(String kind) {
    return switch (kind) {
      case "inner" ->
          List.of("broadcast(r)", "merge(r)", "shuffle_hash(l)", "shuffle_hash(r)", "broadcast(l)");
      case "left" -> List.of("shuffle_hash(r)", "broadcast(r)", "shuffle_hash(l)", "merge(r)");
      case "right" -> List.of("broadcast(l)", "shuffle_hash(r)", "merge(r)", "shuffle_hash(l)");
      case "full" -> List.of("merge(r)", "shuffle_hash(r)", "shuffle_hash(l)");
      default -> List.of("broadcast(r)", "shuffle_hash(r)", "merge(r)");
    };
  }

  private static final List<String> TYPES =
      List.of(
          "z1", "b1", "s1", "i1", "l1", "f1", "d1", "n1", "m1", "h1", "a1", "t1", "u1", "c1", "x1");

  @BeforeAll
  void writeTables() {
    EdgeTables tables = new EdgeTables(seed + 1);
    tables.register(session, "l", folder.resolve("l"), 600, 3);
    tables.register(session, "r", folder.resolve("r"), 150, 2);
    session
        .range(0, 80_000, 1, 4)
        .selectExpr("id", "1 g", "id / 7 d1")
        .createOrReplaceTempView("hot");
  }

  private static Map<String, String> adaptive(String value) {
    return with(LEGACY, "spark.sql.adaptive.enabled", value);
  }

  /**
   * Returns a join whose rows are counted: above an aggregation nobody needs the order of a join by
   * merging.
   */
  private static String counted(String kind, String hint, String on) {
    return switch (kind) {
      case "left semi", "left anti" ->
          "select id, c1, count(*) from (select /*+ %s */ l.id, l.c1 from l %s join r on %s)"
                  .formatted(hint, kind, on)
              + " group by id, c1";
      case "existence" ->
          "select id, x, count(*) from (select l.id, l.i2 > 5 or exists (select /*+ %s */ 1 from r"
                  .formatted(hint)
              + " where "
              + on
              + ") x from l) group by id, x";
      default ->
          "select a, b, c, d, count(*) from (select /*+ %s */ l.id a, l.c2 b, r.id c, r.m2 d"
                  .formatted(hint)
              + " from l %s join r on %s) group by a, b, c, d".formatted(kind, on);
    };
  }

  private void check(String sql, Map<String, String> settings) {
    differential.check(sql, settings, JOIN);
  }

  private void checkBothWays(String sql) {
    check(sql, adaptive("true"));
    check(sql, with(adaptive("false"), "spark.ariadne.disable", ""));
  }

  @ParameterizedTest
  @CsvSource({"true,3", "true,1", "false,8"})
  void testKinds(String adaptive, String partitions) {
    Map<String, String> settings =
        with(adaptive(adaptive), "spark.sql.shuffle.partitions", partitions);
    for (String kind : KINDS) {
      for (String hint : hints(kind)) {
        check(counted(kind, hint, "l.i1 = r.i1"), settings);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void testConditions(String adaptive) {
    for (String kind : KINDS) {
      for (String hint : hints(kind)) {
        check(counted(kind, hint, "l.g = r.g and l.l1 < r.l1"), adaptive(adaptive));
      }
    }
  }

  /** Every type with every kind, in ways by turns. */
  @Test
  void testTypesOfKeys() {
    int next = 0;
    for (String type : TYPES) {
      for (String kind : KINDS) {
        String on = (next % 2 == 0 ? "l.%s = r.%s" : "l.g = r.g and l.%s <=> r.%s");
        String hint = hints(kind).get(next % hints(kind).size());
        String adaptive = next % 3 == 0 ? "true" : "false";
        check(counted(kind, hint, on.formatted(type, type)), adaptive(adaptive));
        next++;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "l.g = r.g and l.c1 = r.c1",
        "l.g = r.g and l.z1 = r.z1 and l.b1 > r.b1",
        "l.z1 = r.z1 and l.c1 = r.c1 and l.d1 = r.d1 and l.h1 <=> r.h1",
        "l.g <=> r.g and l.i1 <=> r.i2",
        "l.i1 + 1 = r.i2 - 1",
        "l.b1 = r.s1",
        "l.i1 = r.l1",
        "l.f1 = r.d1",
        "l.n1 = r.m1",
        "l.n1 = r.h1",
        "l.i1 = r.n1",
        "length(l.c1) = r.g",
        "upper(l.c1) = upper(r.c1)",
        "l.c1 || 'x' = r.c2 || 'x' and l.g = 1",
        "l.g = r.g and (l.c1 < r.c1 or l.d1 = r.d1)",
        "l.g = r.g and coalesce(l.i1 > r.i1, l.z1)",
        "l.g = r.g and l.id % 3 = 1 and r.id % 2 = 0",
        "l.g = r.g and l.i1 + r.i1 > (select avg(i1) from small)",
        "substring(l.c1, 1, 1) = lower(r.c1) and upper(l.c2) <=> r.c2",
        "l.g = r.g and l.x1 = r.x1 and l.c1 like 'a%' and length(r.c1) > length(l.c2)",
      })
  void testExpressions(String on) {
    for (String kind : List.of("inner", "left", "full", "left anti")) {
      check(counted(kind, "shuffle_hash(r)", on), adaptive("false"));
    }
    check(counted("right", "broadcast(l)", on), adaptive("true"));
    check(counted("left semi", "merge(r)", on), adaptive("true"));
  }

  /** All columns go through, with many rows of one key. */
  @ParameterizedTest
  @ValueSource(strings = {"broadcast(r)", "shuffle_hash(r)", "shuffle_hash(l)"})
  void testAllColumns(String hint) {
    for (String kind : List.of("inner", "left", "left anti")) {
      checkBothWays(
          "select /*+ %s */ * from l %s join r on l.g = r.g and l.s1 = r.s1".formatted(hint, kind));
    }
    checkBothWays("select /*+ shuffle_hash(r) */ * from l full join r on l.l1 = r.l1");
    checkBothWays("select /*+ shuffle_hash(r) */ l.* from l left join r on l.g = r.g");
    checkBothWays("select /*+ shuffle_hash(r) */ r.* from l left join r on l.i1 = r.i2");
  }

  /** One key with a million pairs, which come in batches. */
  @Test
  void testManyPairsOfOneKey() {
    for (String hint : List.of("broadcast(b)", "shuffle_hash(b)", "merge(b)")) {
      checkBothWays(
          "select /*+ %s */ count(*), sum(a.id * b.id), max(a.c1) from edge a join edge b"
                  .formatted(hint)
              + " on coalesce(a.g, 9) = coalesce(b.g, 9)");
      checkBothWays(
          "select /*+ %s */ a.z1, count(*), sum(b.id) from edge a left join single b"
                  .formatted(hint)
              + " on a.z1 = b.z1 and a.id < b.id group by a.z1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"i1", "c1", "h1", "d1"})
  void testNotIn(String column) {
    for (String where :
        List.of("is not null", "is null", "is not null or id = 3", "is null and id < 0")) {
      String sql =
          "select id, %1$s from l where %1$s not in (select %1$s from r where %1$s %2$s)"
              .formatted(column, where);
      check(sql, adaptive("false"));
      differential.checkHarmless(sql, adaptive("true"));
    }
    String several =
        "select id from l where (%1$s, g) not in (select %1$s, g from r)".formatted(column);
    differential.checkHarmless(several, LEGACY);
  }

  @Test
  void testExistence() {
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

  @Test
  void testSidesWithoutRows() {
    for (String hint : List.of("broadcast(r)", "shuffle_hash(r)", "merge(r)")) {
      for (String kind : List.of("inner", "left", "right", "full", "left semi", "left anti")) {
        String columns = kind.startsWith("left ") ? "l.id, l.c1" : "l.id, l.c1, r.id, r.h1";
        for (String sides : List.of("l %s join empty r", "empty l %s join r", "one l %s join r")) {
          String join =
              "select /*+ %s */ %s from %s on l.g = r.g"
                  .formatted(hint, columns, sides.formatted(kind));
          String sql = "select count(*), max(j) from (select struct(*) j from (%s))";
          differential.checkHarmless(join, adaptive("true"));
          differential.checkHarmless(sql.formatted(join), adaptive("false"));
        }
      }
    }
    check("select l.id from l where l.i1 not in (select i1 from empty)", adaptive("false"));
    check("select /*+ broadcast(e) */ * from l left join empty e on l.g = e.g", adaptive("false"));
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
  void testAmongOtherNodes(String sql) {
    checkBothWays(sql);
  }

  /** What is kept of a side, and whether any of it is, decides a projection above. */
  @Test
  void testNestedColumns() {
    session
        .sql("select id, g, struct(i1, c1) s, array(c1, c2) w, map(id, x1) m from r")
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(folder.resolve("nestedside").toString());
    session.read().parquet(folder.resolve("nestedside").toString()).createOrReplaceTempView("n");
    checkBothWays("select /*+ broadcast(n) */ l.id, n.* from l join n on l.g = n.g");
    checkBothWays("select /*+ shuffle_hash(l) */ l.id, n.* from n join l on l.g = n.g");
    checkBothWays("select /*+ broadcast(l) */ l.id, n.* from n left join l on l.id = n.id");
    checkBothWays("select /*+ broadcast(n) */ l.id, n.w from l join n on l.c1 = n.s.c1");
    checkBothWays(
        "select /*+ broadcast(l) */ l.id, n.id from l right join n on l.i1 > n.s.i1"
            + " and upper(l.c1) = upper(n.s.c1)");
    for (String sql :
        List.of(
            "select /*+ broadcast(n) */ l.id, n.s, n.w from l left join n on l.g = n.g",
            "select a.id, b.id from n a join n b on a.s = b.s",
            "select a.id, b.id from n a join n b on a.w = b.w")) {
      differential.checkHarmless(sql, LEGACY);
    }
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
  void testProjectionsThatMayRaise(String sql) {
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
  void testProjectionsThatRaise(String sql) {
    differential.checkHarmless(sql, with(ANSI, "spark.sql.adaptive.enabled", "true"));
    differential.checkHarmless(sql, with(ANSI, "spark.sql.adaptive.enabled", "false"));
  }

  @Test
  void testConditionsThatMayRaiseStay() {
    String sql = "select l.id, r.id from l join r on l.g = r.g and l.i1 / r.i1 > 1";
    assertFalse(joins(differential.outcome(sql, ANSI)), sql);
    check("select l.id, r.id from l join r on l.g = r.g and l.i1 > r.i1", ANSI);
  }

  private static boolean joins(Outcome outcome) {
    return !ExecutedPlan.of(outcome.plan()).named("AriadneHashJoin").isEmpty();
  }

  /** Equal by their collation, not by their bytes. */
  @Test
  void testCollatedKeys() {
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
  void testOrderOfAMergeThatSomebodyNeeds(String adaptive) {
    Map<String, String> settings = adaptive(adaptive);
    for (String sql :
        List.of(
            "select /*+ merge(r) */ l.id, r.l1 from l join r on l.id = r.id sort by l.id",
            "select id, k, max(c1) over (partition by k) from (select /*+ merge(r) */ l.id, l.i1"
                + " k, r.c1 from l join r on l.i1 = r.i1)",
            "select /*+ merge(r) */ l.id from l left join r on l.id = r.id")) {
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
  void testOrderOfABroadcastJoin() {
    for (String kind : List.of("join", "left join", "left semi join", "left anti join")) {
      String sql =
          "select /*+ broadcast(r) */ l.id, l.c1 from single l %s r on l.id = r.id * 7"
              .formatted(kind);
      check(sql, LEGACY);
      assertEquals(rows(sql, LEGACY, "false"), rows(sql, LEGACY, "true"), sql);
    }
  }

  /** Ours put the rows of one key out in any order, so these stay. */
  @ParameterizedTest
  @ValueSource(strings = {"broadcast(r)", "shuffle_hash(r)", "merge(r)"})
  void testWhereTheOrderOfRowsShows(String hint) {
    // Spark's own lists have another order where it begins to sort
    Map<String, String> settings =
        with(
            adaptive("false"),
            "spark.sql.objectHashAggregate.sortBased.fallbackThreshold",
            "10000");
    List<String> joins = new ArrayList<>();
    joins.add(pairs(hint, "(select id, 1 g from l where id < 3) l join hot r on l.g = r.g"));
    for (String key : List.of("g", "z1", "c1")) {
      joins.add(pairs(hint, "l join r on l.%s = r.%s".formatted(key, key)));
    }
    for (String join : joins) {
      for (String sql :
          List.of(
              "select id, collect_list(rid), first(d1), last(d1) from %s group by id",
              "select id, rid from %s limit 77",
              "select sum(id), sum(rid) from (select * from %s limit 301)",
              "select sum(m * rid) from (select rid, monotonically_increasing_id() m from %s)",
              "select sum(rid) from %s where rand(7) < 0.5",
              "select id, rid from %s tablesample (30 percent) repeatable (3)")) {
        String query = sql.formatted(join);
        assertFalse(joins(differential.outcome(query, settings)), query);
      }
    }
  }

  private static String pairs(String hint, String join) {
    return "(select /*+ %s */ l.id, r.id rid, r.d1 from %s)".formatted(hint, join);
  }

  @Test
  void testSmallBatches() {
    Map<String, String> settings = with(LEGACY, "spark.ariadne.batch.rows", "64");
    for (String kind : KINDS) {
      check(counted(kind, hints(kind).get(0), "l.g = r.g and l.l1 < r.l1"), settings);
      check(counted(kind, hints(kind).get(1), "l.i1 = r.i1"), settings);
    }
  }

  /** Partitions that are too large are divided, and the other side's are read by each part. */
  @Test
  void testSkewedPartitions() {
    Map<String, String> settings = adaptive("true");
    settings = with(settings, "spark.sql.adaptive.skewJoin.skewedPartitionFactor", "1.1");
    settings = with(settings, "spark.sql.adaptive.advisoryPartitionSizeInBytes", "4KB");
    settings =
        with(settings, "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "16KB");
    settings = with(settings, "spark.sql.adaptive.coalescePartitions.enabled", "false");
    settings = with(settings, "spark.sql.autoBroadcastJoinThreshold", "-1");
    for (String kind : List.of("join", "left join", "right join", "full join")) {
      for (String hint : List.of("merge(b)", "shuffle_hash(b)", "shuffle_hash(a)")) {
        check(
            "select /*+ %s */ a.id, a.c1, b.id, b.c2 from (select *, if(id < 2800, 1, id) k from"
                    .formatted(hint)
                + " edge) a %s (select *, id * 13 %% 1301 k from single where id < 300) b"
                    .formatted(kind)
                + " on a.k = b.k"
                + (hint.startsWith("merge") ? " order by a.id, b.id limit 50000" : ""),
            settings);
      }
    }
  }
}
