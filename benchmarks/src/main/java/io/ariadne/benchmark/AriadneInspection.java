package io.ariadne.benchmark;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.rules.PlanExplanation;
import io.ariadne.rules.PlanSummary;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * What Ariadne itself says of a plan and of its memory. Loaded only in workers that have the
 * plugin's jar: the programs of this module run without it, too.
 */
final class AriadneInspection {
  private static final long PATIENCE_SECONDS = 20;
  private static final long PAUSE_MILLIS = 50;

  private AriadneInspection() {}

  /**
   * Returns bytes of the memory pool that are in use although no query runs. What is kept for a
   * while gets the time to go: tables that had several users, and map outputs, which go when the
   * collector has found that nobody refers to their plans.
   */
  static long liveBytes() {
    ExecutorRuntime runtime = ProcessRuntime.get();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (runtime.pool().allocatedBytes() > 0 && System.nanoTime() < deadline) {
      if (MapOutputs.of(runtime).count() > 0) {
        System.gc();
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
    }
    return runtime.pool().allocatedBytes();
  }

  /** Returns how many map outputs are kept: of plans that somebody still refers to. */
  static int mapOutputs() {
    return MapOutputs.of(ProcessRuntime.get()).count();
  }

  /** Returns the most bytes of the memory pool that were in use. */
  static long peakBytes() {
    return ProcessRuntime.get().pool().peakBytes();
  }

  /** Returns why the GPU is lost, on whose behalf the host works then; null while it is not. */
  static String lostDevice() {
    return ProcessRuntime.get().lostDevice().orElse(null);
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
