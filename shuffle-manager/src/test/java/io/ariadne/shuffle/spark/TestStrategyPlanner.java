package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.apache.spark.SparkConf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When executors own partitions. */
class TestStrategyPlanner {
  private static final String DYNAMIC = "spark.dynamicAllocation.";

  /** With few executors the first ones would get all rows. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, false",
    "1, 0, true",
    "1, 2, true",
    "1, 3, false",
    "2, 3, true",
    "2, 5, false",
    "3, 5, true"
  })
  void waitsForHalfOfTheExecutors(int executors, int instances, boolean isPossible) {
    SparkConf conf = new SparkConf(false);
    if (instances > 0) {
      conf.set("spark.executor.instances", String.valueOf(instances));
    }
    check(conf, executors, isPossible);
    SparkConf dynamic =
        new SparkConf(false)
            .set(DYNAMIC + "enabled", "true")
            .set(DYNAMIC + "minExecutors", String.valueOf(instances));
    check(dynamic, executors, isPossible);
    dynamic.set(DYNAMIC + "minExecutors", "0");
    dynamic.set(DYNAMIC + "initialExecutors", String.valueOf(instances));
    check(dynamic, executors, isPossible);
  }

  private static void check(SparkConf conf, int executors, boolean isPossible) {
    assertEquals(
        isPossible
            ? Optional.empty()
            : Optional.of("only " + executors + " executors have started yet"),
        StrategyPlanner.tooFew(executors, conf));
  }
}
