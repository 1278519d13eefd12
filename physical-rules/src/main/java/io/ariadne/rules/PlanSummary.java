package io.ariadne.rules;

import io.ariadne.bridge.node.AriadneBroadcastExchangeExec;
import io.ariadne.bridge.node.AriadneExec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Sums over a tagged plan.
 *
 * @param operators number of operators in the plan
 * @param accelerated number of operators that run on Ariadne
 * @param transitions number of places where rows become columns or columns become rows, including
 *     the plan's top
 * @param fallbacks the operators that stay with Spark, each as {@code operator: reason}, in the
 *     plan's order
 */
public record PlanSummary(int operators, int accelerated, int transitions, List<String> fallbacks) {
  /** Copies the list. */
  public PlanSummary {
    fallbacks = List.copyOf(fallbacks);
  }

  static PlanSummary of(List<PlanTag> roots) {
    List<PlanTag> all = roots.stream().flatMap(PlanTag::all).toList();
    List<String> fallbacks = new ArrayList<>();
    int transitions = 0;
    for (PlanTag root : roots) {
      transitions += givesColumns(root) ? 1 : 0;
    }
    for (PlanTag tag : all) {
      for (PlanTag child : tag.children()) {
        transitions += givesColumns(child) == isOurs(tag) ? 0 : 1;
      }
      if (!isOurs(tag)) {
        tag.reasons()
            .forEach(reason -> fallbacks.add(tag.plan().nodeName().trim() + ": " + reason));
      }
    }
    int accelerated = (int) all.stream().filter(PlanSummary::isOurs).count();
    return new PlanSummary(all.size(), accelerated, transitions, fallbacks);
  }

  static boolean isOurs(PlanTag tag) {
    return tag.converts()
        || tag.plan() instanceof AriadneExec
        || tag.plan() instanceof AriadneBroadcastExchangeExec;
  }

  private static boolean givesColumns(PlanTag tag) {
    SparkPlan plan = tag.plan();
    return isOurs(tag) || plan.supportsColumnar();
  }

  /** Returns the sums in a line. */
  public String describe() {
    return "%d of %d operators on Ariadne, %d transitions between rows and columns"
        .formatted(accelerated, operators, transitions);
  }
}
