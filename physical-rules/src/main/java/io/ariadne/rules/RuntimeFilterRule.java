package io.ariadne.rules;

import io.ariadne.bridge.node.RuntimeFilterExec;
import io.ariadne.rules.filter.FilterRoles;
import io.ariadne.rules.filter.StageOrder;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;

/**
 * Gives exchanges of adaptive plans runtime filters, as {@link RuntimeFilterPlanner} decides. Spark
 * calls this before it makes stages of exchanges: of the whole plan, then of what remains of it
 * each time a stage has ended.
 *
 * <p>An exchange with a role has a {@link RuntimeFilterExec} as its child until its stage is
 * converted.
 */
public final class RuntimeFilterRule extends Rule<SparkPlan> {
  private static final TreeNodeTag<FilterRoles> ROLES = new TreeNodeTag<>("ariadneFilterRoles");

  private final Supplier<RulesConfig> config;
  private final PlanningGuard guard = new PlanningGuard();

  /**
   * Creates the rule.
   *
   * @param config reads the session's settings; called for every plan, on the planning thread
   */
  public RuntimeFilterRule(Supplier<RulesConfig> config) {
    this.config = config;
  }

  @Override
  public String ruleName() {
    return "io.ariadne.rules.RuntimeFilterRule";
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    RulesConfig settings = config.get();
    if (!settings.enabled() || settings.runtimeFilterBytes().isEmpty()) {
      return plan;
    }
    long minBytes = settings.runtimeFilterBytes().getAsLong();
    return guard.rewrite(plan, settings, () -> new RuntimeFilterPlanner(plan, minBytes).plan());
  }

  /** Returns a plan without nodes that mark exchanges, which have their roles as tags instead. */
  static SparkPlan withoutMarks(SparkPlan plan) {
    SparkPlan bare =
        PlanChildren.map(
            plan,
            child -> withoutMarks(child instanceof RuntimeFilterExec mark ? mark.child() : child));
    if (plan instanceof ShuffleExchangeExec exchange
        && exchange.child() instanceof RuntimeFilterExec mark) {
      bare.setTagValue(ROLES, (FilterRoles) mark.roles());
    }
    return bare;
  }

  /**
   * Notes that an exchange, which has become a stage, stays Spark's and makes no filters, so that
   * no stage waits for it.
   *
   * @param plan the plan of a stage, or any other
   */
  static void noteUnconverted(SparkPlan plan) {
    if (plan instanceof ShuffleExchangeExec exchange) {
      FilterRoles unfulfilled =
          exchange.child() instanceof RuntimeFilterExec mark
              ? (FilterRoles) mark.roles()
              : roles(exchange);
      unfulfilled.builds().forEach(build -> StageOrder.submitted(build.id()));
    }
  }

  /** Returns the roles of an exchange in a plan without marks. */
  static FilterRoles roles(ShuffleExchangeExec exchange) {
    return exchange.getTagValue(ROLES).getOrElse(() -> FilterRoles.EMPTY);
  }
}
