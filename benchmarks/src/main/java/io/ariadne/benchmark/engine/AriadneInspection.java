package io.ariadne.benchmark.engine;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.rules.PlanExplanation;
import io.ariadne.rules.PlanSummary;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Asks Ariadne about a plan and about its memory. Only workers that have the plugin's jar load this
 * class; the other programs of this module run without the jar.
 */
final class AriadneInspection {
  private static final long PATIENCE_SECONDS = 20;
  private static final long PAUSE_MILLIS = 50;

  private AriadneInspection() {}

  /** Returns the state of this process; it is unknown where no task runs. */
  static EngineState ofProcess() {
    return ProcessRuntime.find().map(AriadneInspection::of).orElse(EngineState.UNKNOWN);
  }

  private static EngineState of(ExecutorRuntime runtime) {
    return new EngineState(
        runtime.pool().allocatedBytes(),
        runtime.pool().peakBytes(),
        MapOutputs.of(runtime).count(),
        runtime.lostDevice().orElse(null));
  }

  /**
   * Returns the state after memory that is released late is free, which it awaits for up to 20 s:
   * hash tables that several tasks shared, and map outputs, which are released after the garbage
   * collector of the driver has found their plans unreachable.
   */
  static EngineState settled(Supplier<EngineState> state) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    EngineState last = state.get();
    while (last.liveBytes() > 0 && System.nanoTime() < deadline) {
      if (last.mapOutputs() > 0) {
        System.gc();
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
      last = state.get();
    }
    return last;
  }

  /** Returns a plan as an annotated tree, and the counts of its operators. */
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
