package io.ariadne.benchmark.engine;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import scala.collection.Iterator;

/** Adds up the metrics of Ariadne's scans of an executed plan, those of subqueries included. */
final class ScanCounters {
  private static final String SCAN = "AriadneScanExec";

  private final Map<String, Long> sums = new TreeMap<>();
  private final Set<SparkPlan> visited = Collections.newSetFromMap(new IdentityHashMap<>());

  private ScanCounters() {}

  /** Returns the sums by the metric's key; empty for a plan without such scans. */
  static Map<String, Long> of(SparkPlan executed) {
    ScanCounters counters = new ScanCounters();
    counters.visit(executed);
    return counters.sums;
  }

  private void visit(SparkPlan node) {
    if (!visited.add(node)) {
      return;
    }
    if (node instanceof AdaptiveSparkPlanExec adaptive) {
      visit(adaptive.executedPlan());
    } else if (node instanceof QueryStageExec stage) {
      visit(stage.plan());
    }
    if (node.getClass().getSimpleName().equals(SCAN)) {
      add(node);
    }
    visitAll(node.children().iterator());
    visitAll(node.subqueries().iterator());
  }

  private void visitAll(Iterator<SparkPlan> nodes) {
    while (nodes.hasNext()) {
      visit(nodes.next());
    }
  }

  private void add(SparkPlan scan) {
    var metrics = scan.metrics().iterator();
    while (metrics.hasNext()) {
      var metric = metrics.next();
      // Spark marks metrics without a value by a negative number.
      sums.merge(metric._1(), Math.max(0, metric._2().value()), Long::sum);
    }
  }
}
