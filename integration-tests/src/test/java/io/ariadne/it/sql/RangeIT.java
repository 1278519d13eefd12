package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.rules.ExecutedPlan;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of integers, and tasks that read several partitions of what is below a coalesce. */
class RangeIT extends AbstractDifferentialIT {
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
  void testValuesAndTheirPartitions(String range) {
    differential.check(
        "select id, id div 3 + 1, spark_partition_id(), monotonically_increasing_id()"
            + " from range(%s)".formatted(range),
        Map.of("spark.sql.ansi.enabled", "false"),
        RANGE.bridged("SparkPartitionID", "MonotonicallyIncreasingID"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0, 0, 1, 3", "3, 0, 1, 3", "0, 3, -1, 1"})
  void testNothing(String range) {
    differential.check(
        "select id + 1 from range(%s) where id %% 2 = 0".formatted(range), LEGACY, RANGE);
    differential.checkHarmless("select count(*), sum(id) from range(%s)".formatted(range), LEGACY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void testOrderIsKnown(String adaptive) {
    Map<String, String> settings = with(LEGACY, "spark.sql.adaptive.enabled", adaptive);
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
  void testJoinOfOneRangeWithItself() {
    differential.check(
        "with r as (select id % 100 k, count(*) c from range(0, 50000, 1, 3) group by 1)"
            + " select l.k, l.c + r.c from r l join r on l.k = r.k + 1",
        with(LEGACY, "spark.sql.autoBroadcastJoinThreshold", "-1"),
        Coverage.of("AriadneRange", "AriadneHashJoin", Coverage.AGGREGATE));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 100})
  void testCoalesce(int partitions) {
    String hint = "/*+ coalesce(%d) */".formatted(partitions);
    checkCoalesce(
        "select %s id * 2 + 1, spark_partition_id() from range(0, 100000, 1, 7)".formatted(hint),
        LEGACY);
    checkCoalesce(
        "select k, count(*), sum(s) from (select %s id %% 10 k, sum(i1) s from edge group by id)"
                .formatted(hint)
            + " group by k",
        LEGACY);
  }

  @Test
  void testCoalesceOfNothing() {
    checkCoalesce("select /*+ coalesce(1) */ id + 1 from edge where id < -5", LEGACY);
    checkCoalesce(
        "select count(*) from (select /*+ coalesce(1) */ i1 + 1 from edge where id < -5)", LEGACY);
  }

  /** Whoever reads ahead must not read what a limit does not ask for. */
  @Test
  void testLimitsAboveCoalesce() {
    checkCoalesce(
        "select * from (select /*+ coalesce(2) */ id, id + i1 from edge where i1 > 0) limit 7",
        with(LEGACY, "spark.sql.adaptive.enabled", "false"));
  }

  private void checkCoalesce(String sql, Map<String, String> settings) {
    Outcome outcome = differential.outcome(sql, settings);
    assertEquals(
        1,
        ExecutedPlan.of(outcome.plan()).named("AriadneCoalesce").size(),
        outcome.plan()::toString);
  }

  @Test
  void testCoalesceThatIsSwitchedOff() {
    differential.check(
        "select /*+ coalesce(2) */ id + 1 from range(0, 100, 1, 5)",
        with(LEGACY, "spark.ariadne.disable", "CoalesceExec"),
        RANGE);
  }
}
