package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.rules.ExecutedPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of integers, and tasks that read several partitions of what is below a coalesce. */
class RangeIT extends AbstractDifferentialIT {
  private static final Map<String, String> ANY_COST =
      with(LEGACY, "spark.ariadne.disable", "OnePartitionExec,TransitionCost");
  private static final Coverage RANGE = Coverage.of("AriadneRange", Coverage.PROJECT);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0, 100000, 1, 3",
        "10, -100000, -7, 4",
        "5, 6, 1, 8",
        "-9223372036854775808, 9223372036854775807, 92233720368547758, 5",
        "9223372036854775807, -9223372036854775808, -4611686018427387904, 3",
        "-9223372036854775808, -9223372036854775700, 1, 7"
      })
  void valuesAndTheirPartitionsMatchSpark(String range) {
    differential.check(
        "select id, id div 3 + 1, spark_partition_id(), monotonically_increasing_id()"
            + " from range(%s)".formatted(range),
        ANY_COST,
        RANGE.bridged("SparkPartitionID", "MonotonicallyIncreasingID"));
  }

  /** Also where there are fewer than no integers, as Spark counts; it makes no partitions then. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0, 0, 1, 3",
        "3, 0, 1, 3",
        "0, 3, -1, 1",
        "4294967296, 0, 1, 1",
        "4294967295, 0, 1, 1",
        "9223372036854775807, -9223372036854775808, 1, 1"
      })
  void emptyInputsMatchSpark(String range) {
    differential.checkHarmless(
        "select id + 1 from range(%s) where id %% 2 = 0".formatted(range), ANY_COST);
    differential.checkHarmless("select count(*), sum(id) from range(%s)".formatted(range), LEGACY);
    differential.checkHarmless(
        "select spark_partition_id(), monotonically_increasing_id(), x from"
            + " (select id & 1 x from range(%s) union all select id & 1 from range(3))"
                .formatted(range),
        ANY_COST);
  }

  /** One task has more integers than a long counts. */
  @Test
  void endlessInputsMatchSpark() {
    differential.checkHarmless(
        "select id & 7 from range(-9223372036854775808, 9223372036854775807, 1, 1) limit 5",
        ANY_COST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void orderIsKnown(String adaptive) {
    Map<String, String> settings = with(ANY_COST, "spark.sql.adaptive.enabled", adaptive);
    differential.check(
        "select id, id * 2 from range(0, 1000, 1, 3) order by id limit 10 offset 7",
        settings,
        RANGE);
    differential.check(
        "select a.id, b.id + 1 from range(0, 70000, 1, 2) a join range(0, 70000, 3, 3) b"
            + " on a.id = b.id + 1",
        settings,
        Coverage.of("AriadneRange", "AriadneHashJoin"));
  }

  @Test
  void joinOfOneRangeWithItselfMatchesSpark() {
    differential.check(
        "with r as (select id % 100 k, count(*) c from range(0, 50000, 1, 3) group by 1)"
            + " select l.k, l.c + r.c from r l join r on l.k = r.k + 1",
        with(LEGACY, "spark.sql.autoBroadcastJoinThreshold", "-1"),
        Coverage.of("AriadneRange", "AriadneHashJoin", Coverage.AGGREGATE));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 100})
  void coalesceMatchesSpark(int partitions) {
    String hint = "/*+ coalesce(%d) */".formatted(partitions);
    checkCoalesce(
        "select spark_partition_id(), monotonically_increasing_id(), x, p from (select %s"
                .formatted(hint)
            + " id * 2 + 1 x, spark_partition_id() p from range(0, 100000, 1, 7))",
        ANY_COST);
    checkCoalesce(
        "select k, count(*), sum(s) from (select %s id %% 10 k, sum(i1) s from edge group by id)"
                .formatted(hint)
            + " group by k",
        LEGACY);
  }

  @Test
  void rangesHaveSparksNumberOfPartitions() {
    for (int partitions : List.of(1, 2, 3, 100)) {
      String sql =
          "select /*+ coalesce(%d) */ i1 + id from edge where i1 > 0".formatted(partitions);
      session.conf().set("spark.ariadne.enabled", "false");
      int sparks = session.sql(sql).toJavaRDD().getNumPartitions();
      session.conf().set("spark.ariadne.enabled", "true");
      assertEquals(sparks, session.sql(sql).toJavaRDD().getNumPartitions(), sql);
      session.conf().unset("spark.ariadne.enabled");
    }
  }

  @Test
  void coalesceOfNothingMatchesSpark() {
    checkCoalesce("select /*+ coalesce(1) */ id + 1 from edge where id < -5", LEGACY);
    checkCoalesce(
        "select count(*) from (select /*+ coalesce(1) */ i1 + 1 from edge where id < -5)", LEGACY);
  }

  /** Below an exchange, a sort, a broadcast and a join, and above a finished stage. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void operatorsAroundCoalesceMatchSpark(String adaptive) {
    Map<String, String> settings = with(LEGACY, "spark.sql.adaptive.enabled", adaptive);
    String coalesced = "(select /*+ coalesce(2) */ id, g, i1 + 1 x from edge)";
    checkCoalesce("select g, count(*), sum(x) from %s group by g".formatted(coalesced), settings);
    checkCoalesce("select * from %s order by id".formatted(coalesced), settings);
    checkCoalesce(
        "select /*+ broadcast(b) */ a.id, b.x from edge a join %s b on a.id = b.id"
            .formatted(coalesced),
        settings);
    differential.checkHarmless(
        "select /*+ merge(b) */ a.id, b.x from %1$s a join %1$s b on a.id = b.id"
            .formatted(coalesced),
        settings);
    differential.checkHarmless(
        "select /*+ coalesce(2) */ * from (select /*+ repartition(5, g) */ id, g from edge)",
        settings);
  }

  /** Who asks above for the file of a row gets that of the row. */
  @Test
  void filesAboveCoalesceMatchSpark() {
    differential.checkHarmless(
        "select input_file_name(), x from (select /*+ coalesce(2) */ id + 1 x from edge)",
        ANY_COST);
    differential.checkHarmless(
        "select input_file_name(), x from (select /*+ coalesce(2) */ id + 1 x from edge"
            + " where i1 > 0) where x % 3 = 0",
        ANY_COST);
  }

  /** An operator that reads ahead must not read, and fail for, rows beyond a limit. */
  @Test
  void limitsAboveCoalesce() {
    checkCoalesce(
        "select * from (select /*+ coalesce(2) */ id, id + i1 from edge where i1 > 0) limit 7",
        with(LEGACY, "spark.sql.adaptive.enabled", "false"));
    differential.checkHarmless(
        "select * from (select /*+ coalesce(2) */ id, 1 div (id - 40) from range(0, 100, 1, 4))"
            + " limit 7",
        with(ANSI, "spark.ariadne.disable", "OnePartitionExec,TransitionCost"));
  }

  private void checkCoalesce(String sql, Map<String, String> settings) {
    Outcome outcome = differential.outcome(sql, settings);
    assertEquals(
        1,
        ExecutedPlan.of(outcome.plan()).named("AriadneCoalesce").size(),
        outcome.plan()::toString);
  }

  @Test
  void coalesceThatIsSwitchedOff() {
    differential.check(
        "select /*+ coalesce(2) */ id + 1 from range(0, 100, 1, 5)",
        with(LEGACY, "spark.ariadne.disable", "CoalesceExec,TransitionCost"),
        RANGE);
  }
}
