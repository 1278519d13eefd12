package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests columnar broadcasts that Ariadne's joins, Spark's joins and partition pruning read.
 * Generated code that does not compile fails a query.
 */
class BroadcastIT extends AbstractJoinIT {
  static final String NAME = "AriadneBroadcastExchange";
  static final Coverage BROADCAST = Coverage.of(NAME);

  /**
   * One int, one long, a pair that Spark packs into a long, a string, a decimal, doubles, several.
   */
  private static final List<String> KEYS =
      List.of(
          "l.i1 = r.i1",
          "l.l1 = r.l1",
          "l.i1 = r.i1 and l.g = r.g",
          "l.c1 = r.c1",
          "l.h1 = r.h1",
          "l.d1 = r.d1",
          "l.a1 = r.a1 and l.z1 = r.z1 and l.m1 = r.m1");

  @BeforeAll
  void writePartitions() {
    writeView(
        "parts",
        session
            .range(0, 3000)
            .selectExpr("id", "concat('v', id % 37) s", "cast(id % 11 as int) p", "id % 3 q")
            .write()
            .partitionBy("p", "q"));
  }

  static Map<String, String> ours(String adaptive) {
    Map<String, String> settings = new LinkedHashMap<>(adaptive(adaptive));
    settings.put("spark.sql.codegen.fallback", "false");
    return settings;
  }

  static Map<String, String> sparks(String adaptive, String generated) {
    Map<String, String> settings = ours(adaptive);
    settings.put("spark.ariadne.disable", "OnePartitionExec,BroadcastHashJoinExec");
    settings.put("spark.sql.codegen.wholeStage", generated);
    return settings;
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void joinsOfOursMatchSpark(String adaptive) {
    Coverage both = Coverage.of(NAME, "AriadneHashJoin");
    for (String on : KEYS) {
      differential.check(counted("inner", "broadcast(r)", on), ours(adaptive), both);
      differential.check(
          "select /*+ broadcast(r) */ * from l left join r on " + on, ours(adaptive), both);
    }
    differential.check(counted("existence", "broadcast(r)", KEYS.get(0)), ours(adaptive), both);
    differential.check(counted("left anti", "broadcast(r)", KEYS.get(1)), ours(adaptive), both);
  }

  /** Spark's joins look rows up in the same value, by generated code and without. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void joinsOfSparksMatchSpark(String adaptive) {
    List<String> kinds = List.of("inner", "left", "left semi", "left anti", "existence");
    int next = 0;
    for (String on : KEYS) {
      for (int i = 0; i < 2; i++) {
        String kind = kinds.get(next % kinds.size());
        String generated = String.valueOf(next++ % 3 > 0);
        checkSparks(counted(kind, "broadcast(r)", on), sparks(adaptive, generated));
      }
    }
    differential.check(
        "select /*+ broadcast(r) */ * from l join r on l.g = r.g and l.i1 < r.i1",
        sparks(adaptive, "true"),
        BROADCAST);
  }

  private void checkSparks(String sql, Map<String, String> settings) {
    Outcome outcome = differential.outcome(sql, settings);
    assertTrue(!joins(outcome), () -> outcome.plan().toString());
    VacuityGate.require(BROADCAST, sql, outcome);
  }

  /** Keys of one build row each, as Spark looks these up in another way. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void uniqueKeysMatchSpark(String adaptive) {
    for (String key : List.of("id", "cast(id as string)")) {
      String build = "(select %s k, c1 from r where id > 3)".formatted(key);
      for (String kind : List.of("inner", "left anti")) {
        String sql =
            "select /*+ broadcast(b) */ l.id, l.c2 from l %s join %s b on %s = b.k"
                .formatted(kind, build, key.replace("id", "l.id"));
        differential.check(sql, ours(adaptive), BROADCAST);
        differential.check(sql, sparks(adaptive, "true"), BROADCAST);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void broadcastsWithoutRowsMatchSpark(String adaptive) {
    for (String kind : List.of("inner", "left", "left anti")) {
      String sql =
          "select /*+ broadcast(b) */ l.id from l %s join (select * from r where id < 0) b"
                  .formatted(kind)
              + " on l.i1 = b.i1";
      for (Map<String, String> settings : List.of(ours(adaptive), sparks(adaptive, "true"))) {
        Outcome outcome = differential.outcome(sql, settings);
        if (adaptive.equals("false")) { // else there may be no join any more
          assertEquals(1, ExecutedPlan.of(outcome.plan()).named(NAME).size(), sql);
        }
      }
    }
  }

  /** Spark computes the keys of a broadcast for every row, whatever there is to join with. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void keysThatRaise(String adaptive) {
    Map<String, String> settings = new LinkedHashMap<>(ours(adaptive));
    settings.put("spark.sql.ansi.enabled", "true");
    String rows = "(select * from l where id < 0)";
    Map<String, String> conditions =
        Map.of(
            "cast(r.c1 as int)", "CAST_INVALID_INPUT",
            "r.i1 div (r.id - r.id)", "DIVIDE_BY_ZERO",
            "r.i1 + 2147483647", "ARITHMETIC_OVERFLOW");
    conditions.forEach(
        (key, condition) -> {
          for (String kind : List.of("join", "left join", "left anti join")) {
            String sql =
                "select /*+ broadcast(r) */ count(*) from %s l %s r on l.i1 = %s"
                    .formatted(rows, kind, key);
            Outcome outcome = differential.outcome(sql, settings);
            assertTrue(outcome.error().startsWith(condition), () -> sql + ": " + outcome);
            assertEquals(List.of(), ExecutedPlan.of(outcome.plan()).named(NAME), sql);
          }
        });
    for (String on : KEYS) {
      differential.check(counted("inner", "broadcast(r)", on), settings, BROADCAST);
    }
  }

  /** Where there is a null among the keys it alone decides; keys of ints are packed into longs. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void notInMatchesSpark(String adaptive) {
    for (String column : List.of("i1", "l1", "s1", "g + 1L")) {
      for (String rows : List.of("%s is not null", "true or %s = 1", "id < 0")) {
        String sql =
            "select id from l where %1$s not in (select %1$s from r where %2$s)"
                .formatted(column, rows.formatted(column));
        for (Map<String, String> settings :
            List.of(ours(adaptive), sparks(adaptive, "true"), sparks(adaptive, "false"))) {
          Outcome outcome = differential.outcome(sql, settings);
          if (adaptive.equals("false")) { // else there may be no join any more
            assertEquals(1, ExecutedPlan.of(outcome.plan()).named(NAME).size(), sql);
          }
        }
      }
    }
  }

  /** One value for two joins. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void joinsReuseABroadcast(String adaptive) {
    Outcome outcome =
        differential.outcome(
            "select count(*), sum(a.id), max(b.id) from l"
                + " join (select id, i1 from r where id > 3) a on l.i1 = a.i1"
                + " join (select id, i1 from r where id > 3) b on l.i2 = b.i1",
            with(ours(adaptive), "spark.sql.autoBroadcastJoinThreshold", "10MB"));
    VacuityGate.require(BROADCAST, "reuse", outcome);
    assertTrue(outcome.plan().toString().contains("ReusedExchange"), outcome.plan()::toString);
  }

  /** A side that has turned out small is broadcast from where an exchange has put it. */
  @Test
  void broadcastsOfQueryStagesMatchSpark() {
    Map<String, String> settings = ours("true");
    settings.put("spark.sql.autoBroadcastJoinThreshold", "-1");
    settings.put("spark.sql.adaptive.autoBroadcastJoinThreshold", "10MB");
    for (String on : List.of("l.l1 = r.l1", "l.c1 = r.c1")) {
      Coverage both = Coverage.of(NAME, "AriadneHashJoin", "AriadneShuffleExchange");
      differential.check(
          "select l.id, r.id, r.c2 from l join r on %s where r.id < 90".formatted(on),
          settings,
          both);
    }
  }

  /**
   * Partitions of files are chosen by keys of what is broadcast for a join anyway. Without adaptive
   * execution Spark plans that broadcast first, as its own.
   */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void broadcastsPrunePartitions(String adaptive) {
    for (String on : List.of("parts.p = b.g", "parts.p = b.g and parts.q = b.g")) {
      String sql =
          "select /*+ broadcast(b) */ count(*), sum(parts.id), max(s) from parts join"
              + " (select id, g from r where id < 9) b on "
              + on;
      for (Map<String, String> settings : List.of(ours(adaptive), sparks(adaptive, "true"))) {
        Outcome outcome = differential.outcome(sql, settings);
        VacuityGate.require(
            adaptive.equals("true") ? BROADCAST : Coverage.of("AriadneScan"), sql, outcome);
        assertTrue(outcome.plan().toString().contains("dynamicpruning"), outcome.plan()::toString);
        assertTrue(outcome.plan().toString().contains("ReusedExchange"), outcome.plan()::toString);
      }
    }
  }

  static Map<String, String> withoutLoops(String adaptive, String generated) {
    Map<String, String> settings = ours(adaptive);
    settings.put("spark.ariadne.disable", "OnePartitionExec,BroadcastNestedLoopJoinExec");
    settings.put("spark.sql.codegen.wholeStage", generated);
    return settings;
  }

  /** Joins without keys go through all rows, ours in columns. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void nestedLoopsMatchSpark(String adaptive) {
    Coverage both = Coverage.of(NAME, "AriadneHashJoin");
    String on = "l.i1 < r.i1 and l.d1 > r.d1";
    for (String kind : List.of("inner", "left", "left semi", "left anti", "existence", "full")) {
      differential.check(counted(kind, "broadcast(r)", on), ours(adaptive), both);
    }
    differential.check(counted("right", "broadcast(l)", on), ours(adaptive), both);
    differential.check(
        "select /*+ broadcast(r) */ * from l join r on l.c1 > r.c1", ours(adaptive), both);
    differential.check(
        "select /*+ broadcast(b) */ a.c, b.c, a.x + b.y from"
            + " (select count(*) c, max(i1) x from l) a cross join"
            + " (select count(*) c, min(i1) y from r) b",
        ours(adaptive),
        Coverage.of(NAME, "AriadneHashJoin", Coverage.AGGREGATE));
  }

  /** Spark's joins without keys read an array made of the same value, as all kinds of them do. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void nestedLoopsOfSparksMatchSpark(String adaptive) {
    String on = "l.i1 < r.i1 and l.d1 > r.d1";
    int next = 0;
    for (String kind :
        List.of("inner", "left", "left semi", "left anti", "existence", "full", "right")) {
      for (int i = 0; i < 2; i++) {
        String generated = String.valueOf(next++ % 3 > 0);
        checkSparks(counted(kind, "broadcast(r)", on), withoutLoops(adaptive, generated));
      }
    }
    checkSparks(
        "select /*+ broadcast(l) */ l.id, r.* from l left join r on l.c1 > r.c1",
        withoutLoops(adaptive, "true"));
    checkSparks(
        "select /*+ broadcast(r) */ r.*, l.id from l join r on l.c1 > r.c1",
        withoutLoops(adaptive, "true"));
    for (String generated : List.of("true", "false")) {
      checkSparks(
          "select /*+ broadcast(r) */ count(*) from l cross join r",
          withoutLoops(adaptive, generated));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void nestedLoopsOverNoRowsMatchSpark(String adaptive) {
    for (String kind : List.of("inner", "left", "left anti", "full", "right")) {
      String sql =
          "select /*+ broadcast(b) */ l.id from l %s join (select * from r where id < 0) b"
                  .formatted(kind)
              + " on l.i1 < b.i1";
      for (Map<String, String> settings :
          List.of(
              ours(adaptive), withoutLoops(adaptive, "true"), withoutLoops(adaptive, "false"))) {
        Outcome outcome = differential.outcome(sql, settings);
        if (adaptive.equals("false")) { // else there may be no join any more
          assertEquals(1, ExecutedPlan.of(outcome.plan()).named(NAME).size(), sql);
        }
      }
    }
  }

  /**
   * One value for a join of ours and one of Spark's, whose condition has no kernel: side by side,
   * where either may be planned first, and in a subquery.
   */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void nestedLoopsReuseABroadcast(String adaptive) {
    String build = "(select id, i1 from r where i1 is not null)";
    String rows = "(select id, i1 from l where i1 is not null)";
    String ours = "select a.id x, b.id y from %s a join %s b on a.i1 < b.i1".formatted(rows, build);
    String sparks = ours.replace("a.i1 < b.i1", "soundex(string(a.i1)) < soundex(string(b.i1))");
    List<String> queries =
        List.of(
            ours + " union all " + sparks,
            sparks + " union all " + ours,
            "select x, y, (select sum(x) + sum(y) from (%s)) from (%s)".formatted(ours, sparks),
            "select x, y, (select sum(x) + sum(y) from (%s)) from (%s)".formatted(sparks, ours));
    for (String sql : queries) {
      for (String generated : List.of("true", "false")) {
        Outcome outcome =
            differential.outcome(
                sql,
                with(
                    with(ours(adaptive), "spark.sql.codegen.wholeStage", generated),
                    "spark.sql.autoBroadcastJoinThreshold",
                    "10MB"));
        VacuityGate.require(BROADCAST, sql, outcome);
        assertTrue(joins(outcome), outcome.plan()::toString);
        ExecutedPlan plan = ExecutedPlan.of(outcome.plan());
        assertTrue(plan.sparkNodes().contains("BroadcastNestedLoopJoin"), sql);
        assertTrue(outcome.plan().toString().contains("ReusedExchange"), outcome.plan()::toString);
        assertTrue(outcome.plan().toString().contains("BroadcastRows"), outcome.plan()::toString);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void errorsBelowBroadcastsReachTheQuery(String adaptive) {
    Outcome outcome =
        differential.outcome(
            "select /*+ broadcast(b) */ a.id from single a join"
                + " (select id, cast(i1 + 2147483647 as long) x from single) b on a.l1 = b.x",
            with(ours(adaptive), "spark.sql.ansi.enabled", "true"));
    assertNotNull(outcome.error());
  }
}
