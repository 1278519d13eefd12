package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import io.ariadne.rules.exec.AriadneHashJoinExec;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.BeforeAll;

/** Tables to join: {@code l} has 600 rows in three files, {@code r} 150 in two. */
abstract class AbstractJoinIT extends AbstractDifferentialIT {
  private static final int MOST_FIELDS = 1000;

  static final Coverage JOIN = Coverage.of("AriadneHashJoin");

  static final List<String> KINDS =
      List.of("inner", "left", "right", "full", "left semi", "left anti", "existence");

  /** What Spark may be told to do with a kind of join. */
  static List<String> hints(String kind) {
    return switch (kind) {
      case "inner" ->
          List.of("broadcast(r)", "merge(r)", "shuffle_hash(l)", "shuffle_hash(r)", "broadcast(l)");
      case "left" -> List.of("shuffle_hash(r)", "broadcast(r)", "shuffle_hash(l)", "merge(r)");
      case "right" -> List.of("broadcast(l)", "shuffle_hash(r)", "merge(r)", "shuffle_hash(l)");
      case "full" -> List.of("merge(r)", "shuffle_hash(r)", "shuffle_hash(l)");
      default -> List.of("broadcast(r)", "shuffle_hash(r)", "merge(r)");
    };
  }

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

  static Map<String, String> adaptive(String value) {
    return with(LEGACY, "spark.sql.adaptive.enabled", value);
  }

  /**
   * Returns a join whose rows are counted: an aggregation does not need the order of a sort-merge
   * join.
   */
  static String counted(String kind, String hint, String on) {
    return counted(kind, hint, on, List.of("l", "r"));
  }

  /**
   * Returns the same of other tables, which are called l and r.
   *
   * @param sides the left and the right table
   */
  static String counted(String kind, String hint, String on, List<String> sides) {
    String left = sides.get(0) + " l";
    String right = sides.get(1) + " r";
    return switch (kind) {
      case "left semi", "left anti" ->
          "select id, c1, count(*) from (select /*+ %s */ l.id, l.c1 from %s %s join %s on %s)"
                  .formatted(hint, left, kind, right, on)
              + " group by id, c1";
      case "existence" ->
          "select id, x, count(*) from (select l.id, l.i2 > 5 or exists (select /*+ %s */ 1 from %s"
                  .formatted(hint, right)
              + " where "
              + on
              + ") x from "
              + left
              + ") group by id, x";
      default ->
          "select a, b, c, d, count(*) from (select /*+ %s */ l.id a, l.c2 b, r.id c, r.m2 d"
                  .formatted(hint)
              + " from %s %s join %s on %s) group by a, b, c, d".formatted(left, kind, right, on);
    };
  }

  final void check(String sql, Map<String, String> settings) {
    differential.check(sql, settings, JOIN);
  }

  final void checkBothWays(String sql) {
    check(sql, adaptive("true"));
    check(sql, with(adaptive("false"), "spark.ariadne.disable", ""));
  }

  static boolean joins(Outcome outcome) {
    return !ExecutedPlan.of(outcome.plan()).named("AriadneHashJoin").isEmpty();
  }

  /** Returns the texts of Ariadne's joins in the final plan, those above first. */
  static List<String> textsOfJoins(SparkPlan plan) {
    return PlanNodes.of(plan, AriadneHashJoinExec.class).stream()
        .map(join -> join.simpleString(MOST_FIELDS))
        .toList();
  }

  /**
   * Checks a join in which a side is kept, the same with and without Ariadne.
   *
   * @param side part of the join's text
   */
  final Outcome checkKept(String side, String sql, String adaptive) {
    Map<String, String> settings =
        with(adaptive(adaptive), "spark.sql.autoBroadcastJoinThreshold", "-1");
    Outcome outcome = differential.outcome(sql, settings);
    List<String> texts = textsOfJoins(outcome.plan());
    // what is above an anti join without rows is not planned any more once that is known
    boolean isKnown = texts.isEmpty() && sql.contains("left anti join") && outcome.rows().isEmpty();
    assertTrue(
        isKnown || (texts.size() == 1 && texts.get(0).contains(side)), outcome.plan()::toString);
    return outcome;
  }
}
