package io.ariadne.it.sql;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.api.java.UDF1;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.math.BigInt;

/**
 * Compares joins of all kinds with Spark's, with conditions, duplicates and nulls, in the three
 * ways in which Spark plans them.
 */
class JoinIT extends AbstractJoinIT {
  @ParameterizedTest
  @CsvSource({"true,3", "false,8"})
  void joinKindsMatchSpark(String adaptive, String partitions) {
    Map<String, String> settings =
        with(adaptive(adaptive), "spark.sql.shuffle.partitions", partitions);
    for (String kind : KINDS) {
      for (String hint : hints(kind)) {
        check(counted(kind, hint, "l.i1 = r.i1"), settings);
      }
    }
  }

  /** Tests every kind with and without adaptive execution, with alternating algorithms. */
  @Test
  void conditionsMatchSpark() {
    int next = 0;
    for (String kind : KINDS) {
      for (String adaptive : List.of("true", "false")) {
        String hint = hints(kind).get(next++ % hints(kind).size());
        check(counted(kind, hint, "l.g = r.g and l.l1 < r.l1"), adaptive(adaptive));
      }
    }
  }

  /**
   * The smaller side is kept, also where all its rows count; with keys that occur often. What is
   * not measured is estimated by the columns that are read.
   */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void buildsTheSmallerSide(String adaptive) {
    boolean isMeasured = adaptive.equals("true");
    String few = isMeasured ? "r" : "small";
    String many = isMeasured ? "l" : "edge";
    for (String on :
        List.of("l.i1 = r.i1", "l.g <=> r.g", "l.g = r.g and l.c1 = r.c1 and l.l1 < r.l1")) {
      for (String kind : KINDS) {
        checkKept("BuildLeft", counted(kind, "merge(r)", on, List.of(few, many)), adaptive);
        checkKept("BuildRight", counted(kind, "merge(r)", on, List.of(many, few)), adaptive);
      }
    }
  }

  /** Rows of the kept side come out by the marks of those that have a pair; some always have. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void joinKindsThatMarkTheBuildSideMatchSpark(String adaptive) {
    Map<String, String> types =
        Map.of(
            "left", "LeftOuter, BuildLeft",
            "right", "RightOuter, BuildRight",
            "left semi", "LeftSemi, BuildLeft",
            "left anti", "LeftAnti, BuildLeft",
            "existence", "), BuildLeft");
    types.forEach(
        (kind, type) -> {
          List<String> sides =
              kind.equals("right") ? List.of("edge", "small") : List.of("small", "edge");
          for (String on : List.of("l.id = r.id * 2", "l.g = r.g and abs(l.id - r.id) >= 2970")) {
            Outcome outcome = checkKept(type, counted(kind, "merge(r)", on, sides), adaptive);
            VacuityGate.require(JOIN, kind, outcome);
            assertFalse(outcome.rows().isEmpty(), kind);
          }
        });
  }

  /** Joins without keys: every row may pair with any other. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void nestedLoopsMatchSpark(String adaptive) {
    for (String on :
        List.of("l.i1 < r.i1 and l.d1 > r.d1", "l.c1 > r.c1 and (l.g = r.g or l.id = r.id)")) {
      for (String kind : List.of("inner", "left", "left semi", "left anti", "existence")) {
        check(counted(kind, "broadcast(r)", on), adaptive(adaptive));
      }
      check(counted("inner", "broadcast(l)", on), adaptive(adaptive));
      check(counted("right", "broadcast(l)", on), adaptive(adaptive));
    }
    check(
        "select id from l where (i1, g) not in (select i2, g from r where i2 is not null)",
        adaptive(adaptive));
  }

  /** Adaptive execution knows some of these without a join, once it has seen a side. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void nestedLoopsWithoutConditionsMatchSpark(String adaptive) {
    for (String kind : List.of("inner", "left")) {
      check(counted(kind, "broadcast(r)", "true"), adaptive(adaptive));
    }
    check(counted("right", "broadcast(l)", "true"), adaptive(adaptive));
    check("select /*+ broadcast(r) */ count(*) from l cross join r", adaptive(adaptive));
    for (String kind : List.of("left semi", "left anti")) {
      differential.checkHarmless(counted(kind, "broadcast(r)", "true"), adaptive(adaptive));
    }
    for (String kind : List.of("inner", "left", "left anti")) {
      differential.checkHarmless(
          "select /*+ broadcast(e) */ l.id from l %s join empty e on l.id < e.id".formatted(kind),
          adaptive(adaptive));
    }
  }

  /** Pairs of partitions, where nothing may be broadcast; twice, and above a join by key. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void productsMatchSpark(String adaptive) {
    Map<String, String> settings =
        with(adaptive(adaptive), "spark.sql.autoBroadcastJoinThreshold", "-1");
    for (String on : List.of("true", "l.i1 < r.i1 and l.d1 > r.d1", "l.c1 > r.c1")) {
      checkProduct(counted("inner", "shuffle_replicate_nl(r)", on), 1, settings);
    }
    checkProduct("select count(*) from l cross join r", 1, settings);
    checkProduct("select count(*) from l cross join (select * from r where id < 0)", 1, settings);
    checkProduct(
        "select a.g, count(*), sum(b.id), max(e.c1) from small a cross join small b"
            + " cross join one e group by a.g",
        2,
        settings);
    checkProduct(
        "select l.g, count(*), sum(p.x) from l join"
            + " (select a.id x, b.g from small a cross join small b) p on l.g = p.g group by l.g",
        1,
        settings);
    checkProduct("select a.id, b.id + 1 from range(0, 90, 1, 2) a cross join r b", 1, settings);
  }

  private void checkProduct(String sql, int products, Map<String, String> settings) {
    Outcome outcome = differential.outcome(sql, settings);
    assertEquals(
        2 * products,
        ExecutedPlan.of(outcome.plan()).named("AriadneCrossInput").size(),
        outcome.plan()::toString);
  }

  /** Rows of the broadcast side without a pair are those that no row of the other side pairs. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void nestedLoopsThatKeepTheBroadcast(String adaptive) {
    for (String on : List.of("l.i1 < r.i1", "l.i1 is null and r.i1 is null", "l.id > r.id + 590")) {
      for (String hint : List.of("broadcast(r)", "broadcast(l)")) {
        checkOneTask(counted("full", hint, on), adaptive(adaptive));
      }
    }
    checkOneTask(
        "select /*+ broadcast(r) */ * from l full join r on l.c1 > r.c1 or l.d1 < r.d1",
        adaptive(adaptive));
    for (String on :
        List.of("l.i1 < r.i1 and l.d1 > r.d1", "l.c1 > r.c1 and (l.g = r.g or l.id = r.id)")) {
      for (String kind : List.of("left", "left semi", "left anti")) {
        checkOneTask(counted(kind, "broadcast(l)", on), adaptive(adaptive));
      }
      checkOneTask(counted("right", "broadcast(r)", on), adaptive(adaptive));
    }
    for (String join :
        List.of(
            "select /*+ broadcast(l) */ l.id, r.id from l left join r on l.i1 < r.i1",
            "select /*+ broadcast(r) */ l.id, r.id from l right join r on l.i1 < r.i1",
            "select /*+ broadcast(l) */ l.id, l.c1 from l left anti join r on l.i1 < r.i1")) {
      checkOneTask(join, adaptive(adaptive));
    }
    checkExistenceInOneTask(adaptive);
  }

  /** Spark broadcasts the outer table only if the other one is too large for that. */
  private void checkExistenceInOneTask(String adaptive) {
    BigInt outer =
        session
            .sql("select id, i1, i2 from small")
            .queryExecution()
            .optimizedPlan()
            .stats()
            .sizeInBytes();
    Map<String, String> settings =
        with(adaptive(adaptive), "spark.sql.autoBroadcastJoinThreshold", outer.toString());
    String sql =
        "select id, x, count(*) from (select id, i2 > 5 or exists (select 1 from edge e"
            + " where s.i1 < e.i1 - 9) x from small s) group by id, x";
    checkOneTask(sql, settings);
    Outcome outcome = differential.outcome(sql, settings);
    assertTrue(textsOfJoins(outcome.plan()).get(0).contains("BuildLeft"), outcome.plan()::toString);
  }

  private void checkOneTask(String sql, Map<String, String> settings) {
    Outcome outcome = differential.outcome(sql, settings);
    assertTrue(joins(outcome), outcome.plan()::toString);
    ExecutedPlan plan = ExecutedPlan.of(outcome.plan());
    assertFalse(plan.sparkNodes().contains("BroadcastNestedLoopJoin"), outcome.plan()::toString);
  }

  /** The one task is there, and rows of the broadcast come out, whatever the other side has. */
  @Test
  void nestedLoopsThatKeepTheBroadcastOfNothing() {
    String some =
        "select /*+ broadcast(r) */ a.id, r.id, r.c1 from %s a full join r on a.i1 < r.i1";
    for (String filter : List.of("id < 0", "spark_partition_id() > 99")) {
      String sql = some.formatted("(select id, i1 from l where %s)".formatted(filter));
      checkOneTask(sql, adaptive("false"));
      differential.checkHarmless(sql, adaptive("true"));
    }
    differential.checkHarmless(
        some.formatted("(select id, cast(id as int) i1 from range(0, 0, 1, 3))"),
        adaptive("false"));
    for (String kind : List.of("left", "left semi", "left anti")) {
      String sql =
          "select /*+ broadcast(r) */ r.id, r.c1 from r %s join (select * from l where id < 0) a"
                  .formatted(kind)
              + " on a.i1 < r.i1";
      checkOneTask(sql, adaptive("false"));
      differential.checkHarmless(sql, adaptive("true"));
    }
    String none = "select /*+ broadcast(e) */ * from %s a full join empty e on a.id < e.id";
    for (String adaptive : List.of("true", "false")) {
      differential.checkHarmless(none.formatted("l"), adaptive(adaptive));
      differential.checkHarmless(
          none.formatted("(select * from l where id < 0)"), adaptive(adaptive));
    }
  }

  /** Below and above other nodes, of rows too; twice one task after another. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void operatorsAroundNestedLoopsOfOneTaskMatchSpark(String adaptive) {
    for (String sql :
        List.of(
            "select g, count(*), sum(x) from (select /*+ broadcast(r) */ l.g, r.id x from l"
                + " full join r on l.i1 < r.i1) group by g",
            "select /*+ broadcast(b) */ a.id, b.id, c from (select g, count(*) c, max(id) id from l"
                + " group by g) a full join (select id, i1 from r where i1 is not null) b"
                + " on a.id < b.i1",
            "select /*+ broadcast(r), broadcast(b) */ l.id, r.id, b.id from l full join r"
                + " on l.id < r.id - 100 full join (select * from r where id < 9) b on l.i1 > b.i1",
            "select /*+ broadcast(r) */ a.id, r.id from (select /*+ repartition(3, g) */ id, i1"
                + " from l) a full join r on a.i1 < r.i1",
            "select /*+ broadcast(r) */ a.id, r.id from (select /*+ repartition(3) */ id, i1"
                + " from l) a full join r on a.i1 < r.i1",
            "select /*+ broadcast(r) */ a.id, r.id from (select id, i1 from l union all"
                + " select id, i1 + 1 from l) a full join r on a.i1 < r.i1 order by 1, 2")) {
      Outcome outcome = differential.outcome(sql, adaptive(adaptive));
      assertTrue(joins(outcome), outcome.plan()::toString);
    }
    differential.checkHarmless(
        "select /*+ broadcast(r) */ p, a.id, r.id from (select id, i1, spark_partition_id() p"
            + " from l) a full join r on a.i1 < r.i1",
        adaptive(adaptive));
  }

  /**
   * The sum of the second file alone overflows, that of both does not. Of doubles, sums of parts
   * are rounded.
   */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void sumsOfPartsAboveNestedLoopsMatchSpark(String adaptive) {
    String folderOfParts = folder.resolve("parts" + adaptive).toString();
    String parts = "select k, v from values (1, %s) t(k, v)";
    for (String part : List.of("-10L", "9223372036854775807L), (1, 5L")) {
      session
          .sql(parts.formatted(part))
          .coalesce(1)
          .write()
          .mode(SaveMode.Append)
          .parquet(folderOfParts);
    }
    session.read().parquet(folderOfParts).createOrReplaceTempView("parts");
    String sql =
        "select /*+ broadcast(r) */ %s from parts a full join r on a.k > r.id and a.k < r.id";
    Map<String, String> settings = with(ANSI, "spark.sql.adaptive.enabled", adaptive);
    Outcome overflow = differential.outcome(sql.formatted("sum(a.v)"), settings);
    assertTrue(overflow.error().startsWith("ARITHMETIC_OVERFLOW"), overflow::toString);
    for (String sum : List.of("sum(a.v)", "sum(cast(a.k as double))", "avg(a.k)")) {
      Outcome outcome = differential.outcome(sql.formatted(sum), settings);
      assertFalse(joins(outcome), outcome.plan()::toString);
    }
    checkOneTask(sql.formatted("count(a.v), max(a.v), sum(a.k)"), settings);
  }

  /** Code of a user, above or below, may ask for the number of its task. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void userCodeAroundNestedLoopsMatchesSpark(String adaptive) {
    session
        .udf()
        .register("taskof", (UDF1<Long, Integer>) id -> TaskContext.getPartitionId(), IntegerType);
    for (String sql :
        List.of(
            "select taskof(coalesce(id, x)) t, count(*) from (select /*+ broadcast(r) */ l.id,"
                + " r.id x from l full join r on l.i1 < r.i1) group by t",
            "select /*+ broadcast(r) */ t, count(*), count(r.id) from (select i1, taskof(id) t from"
                + " l) a full join r on a.i1 < r.i1 group by t")) {
      Outcome outcome = differential.outcome(sql, adaptive(adaptive));
      assertTrue(outcome.rows().size() > 1, outcome::toString);
      assertFalse(joins(outcome), outcome.plan()::toString);
    }
  }

  /** Who sees partitions sees as many as Spark makes. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void partitionsOfNestedLoopsThatShow(String adaptive) {
    checkPartitions(loop -> loop.rdd().getNumPartitions(), adaptive);
    checkPartitions(
        loop ->
            loop.mapPartitions((MapPartitionsFunction<Row, Long>) JoinIT::count, Encoders.LONG())
                .collectAsList()
                .size(),
        adaptive);
    checkPartitions(
        loop -> {
          Dataset<Row> cached = loop.cache();
          cached.collectAsList();
          int partitions = cached.rdd().getNumPartitions();
          cached.unpersist(true);
          return partitions;
        },
        adaptive);
  }

  private static Iterator<Long> count(Iterator<Row> rows) {
    long count = 0;
    for (; rows.hasNext(); rows.next()) {
      count++;
    }
    return List.of(count).iterator();
  }

  private void checkPartitions(ToIntFunction<Dataset<Row>> action, String adaptive) {
    session.conf().set("spark.sql.adaptive.enabled", adaptive);
    int[] partitions = new int[2];
    for (int i = 0; i < partitions.length; i++) {
      session.conf().set("spark.ariadne.enabled", i == 1);
      partitions[i] =
          action.applyAsInt(
              session.sql(
                  "select /*+ broadcast(r) */ l.id, r.id x from l full join r on l.i1 < r.i1"));
    }
    session.conf().unset("spark.ariadne.enabled");
    session.conf().unset("spark.sql.adaptive.enabled");
    assertTrue(partitions[0] > 1, () -> "of Spark's: " + partitions[0]);
    assertEquals(partitions[0], partitions[1]);
  }

  /** All columns go through, with many rows of one key. */
  @ParameterizedTest
  @ValueSource(strings = {"broadcast(r)", "shuffle_hash(r)", "shuffle_hash(l)"})
  void allColumnsMatchSpark(String hint) {
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
  void manyPairsOfOneKeyMatchSpark() {
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
  void notInMatchesSpark(String column) {
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

  /** What is kept of a side, and whether any of it is, decides a projection above. */
  @Test
  void nestedColumnsMatchSpark() {
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

  /** Partitions that are too large are divided, and the other side's are read by each part. */
  @Test
  void skewedPartitionsMatchSpark() {
    Map<String, String> settings = adaptive("true");
    settings = with(settings, "spark.sql.adaptive.skewJoin.skewedPartitionFactor", "1.1");
    settings = with(settings, "spark.sql.adaptive.advisoryPartitionSizeInBytes", "1KB");
    settings = with(settings, "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "4KB");
    settings = with(settings, "spark.sql.adaptive.coalescePartitions.enabled", "false");
    settings = with(settings, "spark.sql.autoBroadcastJoinThreshold", "-1");
    for (String kind : List.of("join", "left join", "right join", "full join")) {
      for (String hint : List.of("merge(b)", "shuffle_hash(b)", "shuffle_hash(a)")) {
        Outcome outcome =
            differential.outcome(
                "select /*+ %s */ a.id, a.c1, b.id, b.c2 from (select *, if(id < 2800, 1, id) k"
                        .formatted(hint)
                    + " from edge) a %s (select *, id * 13 %% 1301 k from single where id < 300) b"
                        .formatted(kind)
                    + " on a.k = b.k"
                    + (hint.startsWith("merge") ? " order by a.id, b.id limit 50000" : ""),
                settings);
        VacuityGate.require(JOIN, kind, outcome);
        // Only sides whose unmatched rows are not in the result can be divided.
        boolean mayDivide = kind.equals("join") || kind.equals("left join");
        assertEquals(
            mayDivide,
            outcome.plan().toString().contains("AQEShuffleRead skewed"),
            outcome.plan()::toString);
      }
    }
  }
}
