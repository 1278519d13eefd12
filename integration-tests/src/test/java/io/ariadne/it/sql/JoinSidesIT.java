package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests joins with every type of key, with sides without rows and with sides of different sizes,
 * which work alike on every back end.
 */
class JoinSidesIT extends AbstractJoinIT {
  private static final List<String> TYPES =
      List.of(
          "z1", "b1", "s1", "i1", "l1", "f1", "d1", "n1", "m1", "h1", "a1", "t1", "u1", "c1", "x1");

  /** Tests every type with every other kind, with alternating kinds and algorithms. */
  @Test
  void typesOfKeysMatchSpark() {
    int next = 0;
    for (int t = 0; t < TYPES.size(); t++) {
      for (int k = t % 2; k < KINDS.size(); k += 2) {
        String type = TYPES.get(t);
        String kind = KINDS.get(k);
        String on = (next % 2 == 0 ? "l.%s = r.%s" : "l.g = r.g and l.%s <=> r.%s");
        String hint = hints(kind).get(next % hints(kind).size());
        String adaptive = next % 3 == 0 ? "true" : "false";
        check(counted(kind, hint, on.formatted(type, type)), adaptive(adaptive));
        next++;
      }
    }
  }

  /** Alternates adaptive execution. */
  @Test
  void sidesWithoutRowsMatchSpark() {
    int next = 0;
    for (String hint : List.of("broadcast(r)", "shuffle_hash(r)", "merge(r)")) {
      for (String kind : List.of("inner", "left", "right", "full", "left semi", "left anti")) {
        String columns = kind.startsWith("left ") ? "l.id, l.c1" : "l.id, l.c1, r.id, r.h1";
        for (String sides : List.of("l %s join empty r", "empty l %s join r", "one l %s join r")) {
          String join =
              "select /*+ %s */ %s from %s on l.g = r.g"
                  .formatted(hint, columns, sides.formatted(kind));
          String sql = "select count(*), max(j) from (select struct(*) j from (%s))";
          boolean isWhole = next++ % 2 == 0;
          differential.checkHarmless(
              isWhole ? join : sql.formatted(join), adaptive(String.valueOf(next % 3 == 0)));
        }
      }
    }
    check("select l.id from l where l.i1 not in (select i1 from empty)", adaptive("false"));
    check("select /*+ broadcast(e) */ * from l left join empty e on l.g = e.g", adaptive("false"));
  }

  /** Rows whose keys are null have no pair, whichever side is kept. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void keysThatAreAllNull(String adaptive) {
    String nulls = "(select * except (i1), if(id < 0, 1, null) i1 from %s)";
    for (List<String> sides :
        List.of(
            List.of(nulls.formatted("r"), "l"),
            List.of("r", nulls.formatted("l")),
            List.of(nulls.formatted("l"), nulls.formatted("r")))) {
      for (String kind : KINDS) {
        String sql = counted(kind, "merge(r)", "l.i1 = r.i1", sides);
        Outcome outcome = differential.outcome(sql, adaptive(adaptive));
        // adaptive execution may know the rows without a join, once it has seen a side
        assertTrue(adaptive.equals("true") || joins(outcome), outcome.plan()::toString);
      }
    }
  }

  /** Spark, too, keeps the side whose rows all count where a query asks for it. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void outerJoinsThatKeepAllRows(String adaptive) {
    for (String on : List.of("l.g = r.g", "l.g = r.g and l.i1 > r.i1")) {
      checkKept("BuildLeft", counted("left", "shuffle_hash(l)", on), adaptive);
      checkKept("BuildRight", counted("right", "shuffle_hash(r)", on), adaptive);
    }
  }

  /** Estimates do not know what a filter drops; what is measured does. */
  @ParameterizedTest
  @CsvSource({"true,BuildRight", "false,BuildLeft"})
  void sidesByEstimatesMatchSpark(String adaptive, String kept) {
    List<String> sides = List.of("small", "(select * from edge where id % 1000 = 3)");
    for (String kind : KINDS) {
      checkKept(kept, counted(kind, "merge(r)", "l.g = r.g and l.i1 < r.i1", sides), adaptive);
    }
  }

  /** What is projected above the kept side is computed as Spark does, also where it may raise. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void projectionsOfBuildSidesMatchSpark(String adaptive) {
    Map<String, String> settings = with(ANSI, "spark.sql.adaptive.enabled", adaptive);
    for (String kind : List.of("left", "left semi", "left anti")) {
      for (String hint : List.of("merge(r)", "shuffle_hash(l)")) {
        String below =
            "(select /*+ %s */ l.id, 10 / l.id q from small l join r on l.id = r.id)"
                .formatted(hint);
        String columns =
            kind.equals("left") ? "count(c.id), min(q), max(q)" : "count(*), min(q), max(q)";
        Outcome outcome =
            differential.outcome(
                "select /*+ merge(c) */ %s from %s a %s join (select * from l where id > 0) c"
                        .formatted(columns, below, kind)
                    + " on a.id = c.id",
                settings);
        List<String> texts = textsOfJoins(outcome.plan());
        // the smaller side is the left one, but what is projected there may raise
        assertEquals(2, texts.size(), outcome.plan()::toString);
        assertTrue(texts.get(0).contains("BuildRight"), outcome.plan()::toString);
      }
    }
  }
}
