package io.ariadne.rules;

import io.ariadne.rules.exec.AriadneFragmentExec;
import io.ariadne.rules.expression.Placement;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.exchange.Exchange;

/**
 * Decisions as text: one line per node, {@code *} for those that run on Ariadne, then reasons and
 * expressions that go through the bridge.
 */
public final class PlanExplanation {
  private PlanExplanation() {}

  /**
   * Explains a physical plan as the rule would decide about it now, with adaptive execution about
   * the plan as first made.
   *
   * @param plan for example {@code dataset.queryExecution().executedPlan()}
   * @param disabled names of operators and expressions that stay with Spark
   */
  public static String explain(SparkPlan plan, Set<String> disabled) {
    SparkPlan looked =
        plan instanceof AdaptiveSparkPlanExec adaptive ? adaptive.initialPlan() : plan;
    return describe(new PlanTagger(disabled).tag(looked));
  }

  /** Returns the annotated tree. */
  public static String describe(PlanTag root) {
    StringBuilder text = new StringBuilder();
    append(root, 0, text);
    return text.toString();
  }

  /**
   * Returns whether something is bridged or some operator stays with Spark, other than those that
   * only bring data: scans, exchanges and stages.
   */
  static boolean hasFallback(PlanTag root) {
    return root.all()
        .anyMatch(tag -> bridged(tag).findAny().isPresent() || (!isOurs(tag) && !bringsData(tag)));
  }

  private static boolean bringsData(PlanTag tag) {
    return tag.children().isEmpty()
        || tag.plan() instanceof Exchange
        || tag.plan() instanceof AQEShuffleReadExec;
  }

  private static void append(PlanTag tag, int depth, StringBuilder text) {
    String indent = "  ".repeat(depth);
    text.append(indent).append(isOurs(tag) ? "* " : "  ").append(tag.plan().nodeName());
    if (!tag.costNote().isEmpty()) {
      text.append("  [").append(tag.costNote()).append(']');
    }
    text.append('\n');
    if (!isOurs(tag)) {
      tag.reasons().forEach(reason -> line(text, indent, "! ", reason));
    }
    bridged(tag)
        .forEach(
            part ->
                line(text, indent, "@ bridged: ", part.expression() + " (" + part.reason() + ")"));
    tag.children().forEach(child -> append(child, depth + 1, text));
  }

  private static void line(StringBuilder text, String indent, String mark, String content) {
    text.append(indent).append("    ").append(mark).append(content).append('\n');
  }

  private static boolean isOurs(PlanTag tag) {
    return tag.converts() || tag.plan() instanceof AriadneFragmentExec;
  }

  private static Stream<TaggedExpression> bridged(PlanTag tag) {
    List<TaggedExpression> expressions =
        tag.conversion().map(conversion -> conversion.expressions()).orElse(List.of());
    return expressions.stream()
        .flatMap(TaggedExpression::all)
        .filter(part -> tag.converts() && part.placement() == Placement.BRIDGE);
  }
}
