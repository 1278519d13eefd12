package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.execution.SparkPlan;

/** Replaces the children of plan nodes. */
final class PlanChildren {
  private PlanChildren() {}

  /**
   * Returns a plan with other children: the same plan, with its tags and its place in adaptive
   * execution, if all children stay the same objects.
   *
   * @param replacement returns what takes the place of a child, called in the order of the children
   */
  static SparkPlan map(SparkPlan plan, UnaryOperator<SparkPlan> replacement) {
    List<SparkPlan> children = new ArrayList<>();
    boolean isChanged = false;
    for (SparkPlan child : ScalaCollections.<SparkPlan>list(plan.children())) {
      SparkPlan replaced = replacement.apply(child);
      isChanged |= replaced != child;
      children.add(replaced);
    }
    return isChanged ? plan.withNewChildren(ScalaCollections.seq(children)) : plan;
  }
}
