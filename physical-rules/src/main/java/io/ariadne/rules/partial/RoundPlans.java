package io.ariadne.rules.partial;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.bridge.node.AriadneUnionExec;
import io.ariadne.bridge.query.QuerySession;
import io.ariadne.rules.exec.AriadneColumnarToRowExec;
import io.ariadne.rules.exec.AriadneHashAggregateExec;
import io.ariadne.rules.exec.AriadneImportExec;
import io.ariadne.rules.exec.ExchangeShuffles;
import io.ariadne.rules.exec.RoundInputExec;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import java.util.Optional;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Makes the plans of rounds. Spark and Ariadne's rules plan both parts of the query once; a round's
 * plans are copies with other leaves.
 *
 * <pre>
 *   of a round:  Exchange                 state:  Exchange
 *                  RoundInput (map tasks)           HashAggregate merge
 *                                                     RoundInput (exchanges before)
 *
 *   result:      upper part of the query
 *                  RoundInput (exchanges with all groups so far)
 * </pre>
 *
 * <p>Used on Spark's driver, while the query's session is active.
 */
final class RoundPlans {
  private final SplitAggregation split;
  private final AriadneHashAggregateExec partial;
  private final SparkPlan above;
  private final RDD<ColumnarBatch> input;

  private RoundPlans(
      SplitAggregation split,
      AriadneHashAggregateExec partial,
      SparkPlan above,
      RDD<ColumnarBatch> input) {
    this.split = split;
    this.partial = partial;
    this.above = above;
    this.input = input;
  }

  /**
   * Plans both parts of a query, and starts the jobs that the lower one needs before its first
   * task: broadcasts and subqueries.
   *
   * @throws io.ariadne.error.EngineException UNSUPPORTED if Ariadne does not run the aggregation
   */
  static RoundPlans of(QuerySession session, SplitAggregation split) {
    SparkPlan lower = session.prepare((SparkPlan) split.partial());
    if (!(lower instanceof AriadneColumnarToRowExec rows)
        || !(rows.child() instanceof AriadneHashAggregateExec partial)) {
      throw Unsupported.query(
          "Spark runs its aggregation, not Ariadne",
          "spark.ariadne.explain=fallback logs the reasons");
    }
    RoundPlans plans =
        new RoundPlans(split, partial, session.prepare(split.above()), partial.executeColumnar());
    plans.requireTranslation();
    return plans;
  }

  /** Checks that the exchanges and the aggregation which rounds add can be translated. */
  private void requireTranslation() {
    AriadneShuffleExchangeExec trial = exchange(new AriadneImportExec(split.input()));
    require(ExchangeShuffles.explainConversion(trial));
    require(partial.merging(new AriadneImportExec(split.input())).explainConversion());
  }

  private static void require(NodeConversion conversion) {
    Optional<String> reason = conversion.reasons().stream().findFirst();
    if (conversion.node().isEmpty()) {
      throw Unsupported.query(
          "its groups cannot be combined on Ariadne: " + reason.orElse(""), "read it with collect");
    }
  }

  /** Returns the groups of all partitions of the input. */
  RDD<ColumnarBatch> input() {
    return input;
  }

  /**
   * Returns the exchange of a round's groups.
   *
   * @param rows the groups of the round's partitions
   */
  AriadneShuffleExchangeExec round(int number, RDD<ColumnarBatch> rows) {
    return exchange(imported("groups of round " + number, rows));
  }

  /** Returns an exchange of the groups of several exchanges, combined; each task keeps its own. */
  AriadneShuffleExchangeExec state(List<AriadneShuffleExchangeExec> exchanges) {
    return exchange(partial.merging(imported(text(exchanges), together(exchanges))));
  }

  /** Returns the upper part of the query over the groups of some exchanges. */
  SparkPlan result(List<AriadneShuffleExchangeExec> exchanges) {
    SparkPlan leaf = split.input().reading(text(exchanges), together(exchanges));
    return SplitAggregation.replaced(above, node -> node instanceof RoundInputExec ? leaf : null);
  }

  /** Returns the plans of nodes that rounds have in common; nodes above their leaves differ. */
  List<SparkPlan> shared() {
    return List.of(partial, above);
  }

  private AriadneImportExec imported(String text, RDD<ColumnarBatch> rows) {
    return new AriadneImportExec(split.input().reading(text, rows));
  }

  private AriadneShuffleExchangeExec exchange(SparkPlan rows) {
    return partial.exchange(split.input().outputPartitioning(), rows);
  }

  private static String text(List<AriadneShuffleExchangeExec> exchanges) {
    return "groups of " + exchanges.size() + " exchanges";
  }

  private static RDD<ColumnarBatch> together(List<AriadneShuffleExchangeExec> exchanges) {
    return AriadneUnionExec.concatenatedByNumber(
        ScalaCollections.seq(
            exchanges.stream().map(AriadneShuffleExchangeExec::executeColumnar).toList()));
  }
}
