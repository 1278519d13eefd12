package io.ariadne.it.fuzz;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Differences that are no faults of Ariadne's: where Spark is wrong, or leaves open what it
 * answers. Ariadne's answer must then be one that Spark gives in another way of running the query.
 */
final class KnownDifferences {
  private static final Map<String, String> COMPILED =
      Map.of("spark.sql.codegen.wholeStage", "true", "spark.sql.codegen.factoryMode", "FALLBACK");

  /**
   * Another way in which Spark may run a query.
   *
   * @param reason why its answer may be another one
   * @param settings of the session, beside the query's own
   */
  record Variant(String reason, Map<String, String> settings) {}

  /**
   * A fault of Ariadne's that is being mended: found once more, it is counted and not told.
   *
   * @param reference where it is described
   * @param sql what queries with it have
   * @param answer what the differences of their answers have
   */
  private record OpenFault(String reference, Pattern sql, Pattern answer) {}

  private static final List<Variant> VARIANTS =
      List.of(
          new Variant("generated code and interpreter differ", COMPILED),
          // Spark 4.1.3 lays partitions of a union's inputs over each other where they are not
          // divided alike: 78 rows for 41 keys.
          new Variant(
              "an aggregation over a union has a key twice",
              Map.of("spark.sql.unionOutputPartitioning", "false")),
          // A hash set of boxed doubles has 0.0 and not -0.0, which SQL takes for equal.
          new Variant(
              "a long list has 0.0 and not -0.0",
              Map.of("spark.sql.optimizer.inSetConversionThreshold", "1000")),
          // The key of a null-aware anti join is not normalized, as other joins' are.
          new Variant(
              "NOT IN a subquery tells -0.0 from 0.0",
              Map.of("spark.sql.optimizeNullAwareAntiJoin", "false")),
          // The estimate that it has no rows is taken for a fact while its stage runs.
          new Variant(
              "an OFFSET counts for no rows",
              Map.of(
                  "spark.sql.adaptive.optimizer.excludedRules",
                  "org.apache.spark.sql.catalyst.optimizer.OptimizeOneRowPlan")),
          // Statistics of a file are compared with a constant of the wider type.
          new Variant(
              "a narrowed column is pruned by the wide value",
              Map.of("spark.sql.parquet.filterPushdown", "false")),
          new Variant(
              "one partition, no broadcasts",
              Map.of(
                  "spark.sql.adaptive.enabled", "false",
                  "spark.sql.shuffle.partitions", "1",
                  "spark.sql.autoBroadcastJoinThreshold", "-1")),
          new Variant(
              "four partitions, broadcasts",
              Map.of(
                  "spark.sql.adaptive.enabled", "true",
                  "spark.sql.shuffle.partitions", "4",
                  "spark.sql.autoBroadcastJoinThreshold", "10485760")));

  /** Empty where all faults that the fuzzer has found are mended. */
  private static final List<OpenFault> OPEN = List.of();

  private KnownDifferences() {}

  /** Returns the other ways in which Spark may run a query. */
  static List<Variant> variants() {
    return VARIANTS;
  }

  /** Returns the reference of the open fault that a difference is of; null for none. */
  static String openFault(String sql, String difference) {
    return OPEN.stream()
        .filter(fault -> fault.sql().matcher(sql).find())
        .filter(fault -> fault.answer().matcher(difference).find())
        .map(OpenFault::reference)
        .findFirst()
        .orElse(null);
  }
}
