package io.ariadne.benchmark.engine;

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
 * Asks Ariadne about a plan and about its memory. Only workers that have the plugin's jar load this
 * class; the other programs of this module run without the jar.
 */
final class AriadneInspection {
  private static final long PATIENCE_SECONDS = 20;
  private static final long PAUSE_MILLIS = 50;

  private AriadneInspection() {}

  /**
   * Returns the bytes of the memory pool that are in use although no query runs. Waits up to 20 s
   * until memory that is released late is free: hash tables that several tasks shared, and map
   * outputs, which are released after the garbage collector has found their plans unreachable.
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

  /** Returns the number of map outputs in memory: those whose plans are still reachable. */
  static int mapOutputs() {
    return MapOutputs.of(ProcessRuntime.get()).count();
  }

  /** Returns the peak of the bytes in use of the memory pool. */
  static long peakBytes() {
    return ProcessRuntime.get().pool().peakBytes();
  }

  /**
   * Returns why the GPU is lost and the host executes fragments in its place; null while the GPU
   * works.
   */
  static String lostDevice() {
    return ProcessRuntime.get().lostDevice().orElse(null);
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
