package io.ariadne.benchmark;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.rules.PlanExplanation;
import io.ariadne.rules.PlanSummary;
import java.util.Set;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * What Ariadne itself says of a plan and of its memory. Loaded only in workers that have the
 * plugin's jar: the programs of this module run without it, too.
 */
final class AriadneInspection {
  private AriadneInspection() {}

  /** Returns bytes of the memory pool that are in use. */
  static long liveBytes() {
    return ProcessRuntime.get().pool().allocatedBytes();
  }

  /** Returns the most bytes of the memory pool that were in use. */
  static long peakBytes() {
    return ProcessRuntime.get().pool().peakBytes();
  }

  /** Returns a plan as annotated tree, and its sums. */
  static QueryEngine.Explanation explain(SparkPlan plan) {
    PlanSummary summary = PlanExplanation.summary(plan, Set.of());
    return new QueryEngine.Explanation(
        PlanExplanation.explain(plan, Set.of()),
        summary.operators(),
        summary.accelerated(),
        summary.transitions(),
        summary.fallbacks());
  }
}
