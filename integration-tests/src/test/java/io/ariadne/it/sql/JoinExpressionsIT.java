package io.ariadne.it.sql;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests joins by many keys and conditions: each as an inner join, and alternately with another kind
 * and algorithm.
 */
class JoinExpressionsIT extends AbstractJoinIT {
  private static final List<String> KINDS =
      List.of("left", "right", "full", "left semi", "left anti");

  /** Which kind is next. */
  private int turn;

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
  void expressionsMatchSpark(String on) {
    check(counted("inner", "shuffle_hash(r)", on), adaptive("false"));
    String kind = KINDS.get(turn++ % KINDS.size());
    check(counted(kind, hints(kind).get(turn % 3), on), adaptive(String.valueOf(turn % 2 == 0)));
  }
}
