package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.exec.AriadneBroadcastExec;
import io.ariadne.rules.exec.AriadneFragmentExec;
import io.ariadne.rules.exec.AriadneImportExec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.execution.SparkPlan;

/** Builds the plan that a {@link PlanTagger} has decided on. */
final class PlanConverter {
  private final Set<String> disabled;

  PlanConverter(Set<String> disabled) {
    this.disabled = Set.copyOf(disabled);
  }

  /** Returns the plan with our nodes in the place of those that convert; the others are kept. */
  SparkPlan convert(PlanTag tag) {
    List<SparkPlan> children = new ArrayList<>();
    boolean isChanged = false;
    for (PlanTag child : tag.children()) {
      SparkPlan converted = convert(child);
      isChanged |= converted != child.plan();
      children.add(converted);
    }
    if (tag.converts()) {
      return convert(tag, tag.rule(), children.stream().map(PlanConverter::asInput).toList());
    }
    return isChanged ? tag.plan().withNewChildren(ScalaCollections.seq(children)) : tag.plan();
  }

  private <P extends SparkPlan> SparkPlan convert(
      PlanTag tag, NodeRule<P> rule, List<SparkPlan> inputs) {
    SparkPlan converted = rule.convert(rule.sparkClass().cast(tag.plan()), inputs, disabled);
    converted.copyTagsFrom(tag.plan());
    if (tag.isAskedForFiles() && converted instanceof AriadneFragmentExec fragment) {
      fragment.askForFiles();
    }
    return converted;
  }

  /** Returns what gives a fragment the output of a converted node, or one of Spark's. */
  static SparkPlan asInput(SparkPlan child) {
    if (child instanceof AriadneFragmentExec) {
      return child;
    }
    return AriadneBroadcastExec.isBroadcast(child)
        ? new AriadneBroadcastExec(child)
        : new AriadneImportExec(child);
  }
}
