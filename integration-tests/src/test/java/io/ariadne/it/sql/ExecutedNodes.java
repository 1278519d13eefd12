package io.ariadne.it.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.Iterator;

/** The Ariadne nodes of a plan that has run, adaptive plans as they ended up. */
final class ExecutedNodes {
  private static final String PREFIX = "Ariadne";

  private final List<SparkPlan> nodes = new ArrayList<>();

  ExecutedNodes(SparkPlan executed) {
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
    if (node.getClass().getSimpleName().startsWith(PREFIX)) {
      nodes.add(node);
    }
    Iterator<SparkPlan> children = node.children().iterator();
    while (children.hasNext()) {
      visit(children.next());
    }
  }

  /** Returns whether a node of this class is in the plan and did something, by its own metrics. */
  boolean ran(String simpleName) {
    return nodes.stream()
        .filter(node -> node.getClass().getSimpleName().equals(simpleName))
        .anyMatch(ExecutedNodes::wasActive);
  }

  private static boolean wasActive(SparkPlan node) {
    Iterator<SQLMetric> metrics = node.metrics().valuesIterator();
    while (metrics.hasNext()) {
      if (metrics.next().value() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns the names of all nodes, for messages. */
  List<String> names() {
    return nodes.stream().map(node -> node.getClass().getSimpleName()).toList();
  }
}
