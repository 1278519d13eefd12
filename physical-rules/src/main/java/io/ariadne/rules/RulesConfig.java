package io.ariadne.rules;

import java.util.Objects;
import java.util.Set;

/**
 * The settings of one session that planning uses.
 *
 * @param enabled whether plans may be changed
 * @param explain what planning logs
 * @param disabled names of operators and expressions that stay with Spark: Spark's class names
 * @param rethrowPlanningErrors whether a failure of our planning fails the query; for tests
 */
public record RulesConfig(
    boolean enabled, ExplainMode explain, Set<String> disabled, boolean rethrowPlanningErrors) {
  /** The defaults. */
  public static final RulesConfig DEFAULT =
      new RulesConfig(true, ExplainMode.NONE, Set.of(), false);

  /** Checks for nulls and copies the set. */
  public RulesConfig {
    Objects.requireNonNull(explain, "explain is null");
    disabled = Set.copyOf(disabled);
  }
}
