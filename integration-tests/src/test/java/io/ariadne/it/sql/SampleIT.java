package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that samples have exactly the rows of Spark's samples. */
class SampleIT extends AbstractDifferentialIT {
  private static final Map<String, String> ANY_COST =
      with(LEGACY, "spark.ariadne.disable", "OnePartitionExec,TransitionCost");
  private static final Coverage SAMPLE = Coverage.of("AriadneSample");

  @ParameterizedTest
  @ValueSource(strings = {"0.3", "37.5", "99.9", "100"})
  void samplesOfEveryShareMatchSpark(String percent) {
    differential.check(
        "select id, spark_partition_id(), monotonically_increasing_id()"
            + " from (select id from range(0, 100000, 1, 7))"
            + " tablesample (%s percent) repeatable (5)".formatted(percent),
        ANY_COST,
        SAMPLE.bridged("Rand", "SparkPartitionID", "MonotonicallyIncreasingID"));
    differential.check(
        "select count(*), sum(i1), max(id) from edge tablesample (%s percent) repeatable (3)"
            .formatted(percent),
        ANY_COST,
        SAMPLE.bridged("Rand"));
  }

  @Test
  void emptyInputsMatchSpark() {
    differential.checkHarmless(
        "select count(*), sum(i1) from edge tablesample (0 percent) repeatable (5)", ANY_COST);
  }

  @Test
  void partsOfOneTableMatchSpark() {
    Dataset<Row>[] parts = session.table("edge").randomSplit(new double[] {2, 1, 3}, 11);
    for (int i = 0; i < parts.length; i++) {
      parts[i].createOrReplaceTempView("part" + i);
      differential.check("select * from part" + i, ANY_COST, SAMPLE.bridged("Rand"));
    }
    differential.check(
        "select count(*), sum(c) from (select id, count(*) c from (select id from part0 union all"
            + " select id from part1 union all select id from part2) group by id)",
        ANY_COST,
        SAMPLE.bridged("Rand"));
  }

  /** What a sample drops is filtered first, and computed only where it stays. */
  @Test
  void matchesSparkAboveFiltersAndProjections() {
    differential.check(
        "select id, x, r from (select id, i1 + 1 x, rand(4) r from edge where id % 3 > 0)"
            + " tablesample (40 percent) repeatable (2) where r < 0.9D",
        ANY_COST, SAMPLE.bridged("Rand"));
    differential.check(
        "select * from (select id, 7000 / (id - 1) x from range(0, 5000, 1, 2))"
            + " tablesample (10 percent) repeatable (3)",
        with(ANSI, "spark.ariadne.disable", "OnePartitionExec,TransitionCost"),
        SAMPLE.bridged("Rand"));
    differential.check(
        "select id, i1 from edge tablesample (40 percent) repeatable (2) where i1 > 5 and id > 3",
        ANY_COST,
        SAMPLE.bridged("Rand"));
    differential.checkHarmless(
        "select * from (select id, 7000 div (id - 1) x from range(0, 5000, 1, 2))"
            + " tablesample (99.99 percent) repeatable (3)",
        ANSI);
  }

  /** Which rows are taken depends on their order, which an expansion of ours changes. */
  @Test
  void matchesSparkAboveExpansions() {
    String rows =
        "(select * from (select id, i1 a, i1 + 1 b from edge) unpivot (v for n in (a, b)))";
    checkWithout(
        "select * from %s tablesample (50 percent) repeatable (3)".formatted(rows),
        "AriadneExpand");
    checkWithout(
        "select *, monotonically_increasing_id() from %s".formatted(rows), "AriadneExpand");
  }

  @Test
  void withReplacementStaysWithSpark() {
    session.table("edge").sample(true, 0.7, 13).createOrReplaceTempView("several");
    checkWithout("select id, i1 + 1 from several", "AriadneSample");
  }

  private void checkWithout(String sql, String node) {
    ExecutedPlan plan = ExecutedPlan.of(differential.outcome(sql, ANY_COST).plan());
    assertTrue(plan.named(node).isEmpty(), plan::toString);
  }
}
