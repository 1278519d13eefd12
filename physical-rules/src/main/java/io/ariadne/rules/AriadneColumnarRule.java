package io.ariadne.rules;

import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts physical plans: Spark calls this for every plan and, with adaptive execution, for every
 * stage.
 *
 * <p>Before Spark inserts its transitions between rows and columns, nodes are tagged and converted;
 * afterwards Spark's transitions around fragments are replaced. A failure of our planning leaves
 * the plan as it was and is logged once per reason.
 */
public final class AriadneColumnarRule extends ColumnarRule {
  private static final Logger LOG = LoggerFactory.getLogger(AriadneColumnarRule.class);

  private final Supplier<RulesConfig> config;
  private final PlanningGuard guard = new PlanningGuard();

  /**
   * Creates the rule.
   *
   * @param config reads the session's settings; called for every plan, on the planning thread
   */
  public AriadneColumnarRule(Supplier<RulesConfig> config) {
    this.config = Objects.requireNonNull(config, "config is null");
  }

  @Override
  public Rule<SparkPlan> preColumnarTransitions() {
    return new Conversion();
  }

  @Override
  public Rule<SparkPlan> postColumnarTransitions() {
    return new Transitions();
  }

  private SparkPlan convert(SparkPlan plan) {
    RulesConfig settings = config.get();
    if (plan instanceof AdaptiveSparkPlanExec) {
      return plan;
    }
    SparkPlan converted =
        settings.enabled()
            ? guard.rewrite(
                plan, settings, () -> convert(RuntimeFilterRule.withoutMarks(plan), settings))
            : plan;
    RuntimeFilterRule.noteUnconverted(converted);
    // The session may have been disabled, or planning may fail, after exchanges were left out.
    return converted == plan ? CollectedResults.withExchanges(plan) : converted;
  }

  private static SparkPlan convert(SparkPlan plan, RulesConfig settings) {
    PlanTag tag = tag(plan, settings.disabled());
    explain(tag, settings.explain());
    SparkPlan converted = new PlanConverter(settings.disabled()).convert(tag);
    SparkPlan merged = AdjacentAggregates.merge(converted);
    SparkPlan decided = StageLayout.decide(PartitionAwareUnions.keepRows(merged));
    return CollectedResults.withRoot(plan, tag, decided);
  }

  private static PlanTag tag(SparkPlan plan, Set<String> disabled) {
    PlanTagger tagger = new PlanTagger(disabled);
    SortedAggregates sorted = new SortedAggregates(disabled);
    SparkPlan hashed = sorted.hashed(plan);
    PlanTag tag = tagger.tag(hashed);
    return hashed == plan || sorted.allConvert(tag) ? tag : tagger.tag(plan);
  }

  private static void explain(PlanTag tag, ExplainMode mode) {
    if (mode == ExplainMode.ALL
        || (mode == ExplainMode.FALLBACK && PlanExplanation.hasFallback(tag))) {
      LOG.warn("Ariadne plan:\n{}", PlanExplanation.describe(tag));
    }
  }

  private final class Conversion extends Rule<SparkPlan> {
    @Override
    public SparkPlan apply(SparkPlan plan) {
      return convert(plan);
    }

    @Override
    public String ruleName() {
      return "io.ariadne.rules.Conversion";
    }
  }

  private final class Transitions extends Rule<SparkPlan> {
    @Override
    public String ruleName() {
      return "io.ariadne.rules.Transitions";
    }

    @Override
    public SparkPlan apply(SparkPlan plan) {
      RulesConfig settings = config.get();
      SparkPlan replaced = guard.rewrite(plan, settings, () -> RowTransitions.replace(plan));
      // Not guarded: readers of rows must not get columns, whatever else has failed.
      return RowBroadcasts.read(replaced, settings.enabled());
    }
  }
}
