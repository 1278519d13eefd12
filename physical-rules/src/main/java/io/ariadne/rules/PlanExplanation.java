package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.expression.Placement;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.execution.ReusedSubqueryExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.exchange.Exchange;

/**
 * Formats planning decisions as text: one line per node, with {@code *} for nodes that run on
 * Ariadne, then reasons and bridged expressions.
 */
public final class PlanExplanation {
  private PlanExplanation() {}

  /**
   * Explains how the rule would decide about a physical plan now. With adaptive execution, explains
   * the initial plan. Then explains the plans of its subqueries, and adds the sums over all plans.
   *
   * @param plan for example {@code dataset.queryExecution().executedPlan()}
   * @param disabled names of operators and expressions that stay with Spark
   */
  public static String explain(SparkPlan plan, Set<String> disabled) {
    List<PlanTag> tags = tags(plan, disabled);
    StringBuilder text = new StringBuilder(describe(tags.get(0)));
    for (PlanTag subquery : tags.subList(1, tags.size())) {
      text.append("Subquery:\n").append(describe(subquery));
    }
    return text.append(PlanSummary.of(tags).describe()).append('\n').toString();
  }

  /** Returns the sums of what {@link #explain} explains. */
  public static PlanSummary summary(SparkPlan plan, Set<String> disabled) {
    return PlanSummary.of(tags(plan, disabled));
  }

  /** Tags a plan, then the plans of its subqueries and of their subqueries, each once. */
  private static List<PlanTag> tags(SparkPlan plan, Set<String> disabled) {
    List<PlanTag> tags = new ArrayList<>();
    addTags(plan, disabled, new HashSet<>(), tags);
    return tags;
  }

  private static void addTags(
      SparkPlan plan, Set<String> disabled, Set<SparkPlan> seen, List<PlanTag> tags) {
    SparkPlan looked = initial(plan);
    tags.add(new PlanTagger(disabled).tag(looked));
    for (SparkPlan subquery : ScalaCollections.<SparkPlan>list(looked.subqueriesAll())) {
      if (!(subquery instanceof ReusedSubqueryExec) && seen.add(subquery.canonicalized())) {
        addTags(subquery.children().head(), disabled, seen, tags);
      }
    }
  }

  private static SparkPlan initial(SparkPlan plan) {
    return plan instanceof AdaptiveSparkPlanExec adaptive ? adaptive.initialPlan() : plan;
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
        .anyMatch(
            tag ->
                bridged(tag).findAny().isPresent()
                    || (!PlanSummary.isOurs(tag) && !bringsData(tag)));
  }

  private static boolean bringsData(PlanTag tag) {
    return tag.children().isEmpty()
        || tag.plan() instanceof Exchange
        || tag.plan() instanceof AQEShuffleReadExec;
  }

  private static void append(PlanTag tag, int depth, StringBuilder text) {
    String indent = "  ".repeat(depth);
    text.append(indent).append(PlanSummary.isOurs(tag) ? "* " : "  ").append(tag.plan().nodeName());
    if (!tag.costNote().isEmpty()) {
      text.append("  [").append(tag.costNote()).append(']');
    }
    text.append('\n');
    if (!PlanSummary.isOurs(tag)) {
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

  private static Stream<TaggedExpression> bridged(PlanTag tag) {
    List<TaggedExpression> expressions =
        tag.conversion().map(conversion -> conversion.expressions()).orElse(List.of());
    return expressions.stream()
        .flatMap(TaggedExpression::all)
        .filter(part -> tag.converts() && part.placement() == Placement.BRIDGE);
  }
}
