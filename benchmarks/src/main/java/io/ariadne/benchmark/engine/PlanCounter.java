package io.ariadne.benchmark.engine;

import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import scala.collection.Iterator;

/** Counts the operators of an executed plan; of an adaptive plan, those of the final plan. */
final class PlanCounter {
  private static final String OURS = "Ariadne";

  private int accelerated;
  private int operators;

  /** Counts the operators of a plan. */
  PlanCounter(SparkPlan executed) {
    visit(executed);
  }

  private void visit(SparkPlan node) {
    if (node instanceof AdaptiveSparkPlanExec adaptive) {
      visit(adaptive.executedPlan());
      return;
    }
    if (node instanceof QueryStageExec stage) {
      visit(stage.plan());
      return;
    }
    String name = node.nodeName();
    // The nodes that wrap generated code are not operators of the query.
    if (!name.startsWith("WholeStageCodegen") && !name.equals("InputAdapter")) {
      operators++;
      if (node.getClass().getSimpleName().startsWith(OURS)) {
        accelerated++;
      }
    }
    Iterator<SparkPlan> children = node.children().iterator();
    while (children.hasNext()) {
      visit(children.next());
    }
  }

  int accelerated() {
    return accelerated;
  }

  int operators() {
    return operators;
  }
}
