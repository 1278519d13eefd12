package io.ariadne.rules;

import io.ariadne.rules.exec.AriadneHashAggregateExec;
import io.ariadne.rules.exec.AriadneOnePartitionExec;
import java.util.Optional;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Merges a final aggregation with the partial aggregation below it when no exchange is between
 * them. Then no buffers are emitted and read again, and groups are looked up once.
 */
final class AdjacentAggregates {
  private AdjacentAggregates() {}

  /** Returns a converted plan in which each such pair of nodes is merged. */
  static SparkPlan merge(SparkPlan plan) {
    SparkPlan merged = PlanChildren.map(plan, AdjacentAggregates::merge);
    return merged instanceof AriadneHashAggregateExec last
        ? withFirst(last).orElse(merged)
        : merged;
  }

  private static Optional<SparkPlan> withFirst(AriadneHashAggregateExec last) {
    if (last.child() instanceof AriadneHashAggregateExec first) {
      return last.completing(first, first.child());
    }
    if (last.child() instanceof AriadneOnePartitionExec together
        && together.child() instanceof AriadneHashAggregateExec first) {
      SparkPlan input = new AriadneOnePartitionExec(first.child()).takeTagsFrom(together);
      return last.completing(first, input);
    }
    return Optional.empty();
  }
}
