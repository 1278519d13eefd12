package io.ariadne.rules;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The settings of one session that planning uses.
 *
 * @param enabled whether plans may be changed
 * @param explain what planning logs
 * @param disabled names of operators and expressions that stay with Spark: Spark's class names
 * @param runtimeFilterBytes the least estimated size of an input of a join that gets a runtime
 *     filter; empty when there are no runtime filters
 * @param rethrowPlanningErrors whether a failure of our planning fails the query; for tests
 */
public record RulesConfig(
    boolean enabled,
    ExplainMode explain,
    Set<String> disabled,
    OptionalLong runtimeFilterBytes,
    boolean rethrowPlanningErrors) {
  /** Of smaller inputs, queries of TPC-DS became slower about as often as faster. */
  public static final long RUNTIME_FILTER_BYTES = 128L << 20;

  /** The defaults. */
  public static final RulesConfig DEFAULT =
      new RulesConfig(
          true, ExplainMode.NONE, Set.of(), OptionalLong.of(RUNTIME_FILTER_BYTES), false);

  /** Checks for nulls and copies the set. */
  public RulesConfig {
    Objects.requireNonNull(explain, "explain is null");
    disabled = Set.copyOf(disabled);
  }

  /** Returns the settings of a session in which Ariadne plans nothing. */
  public RulesConfig disabledSession() {
    return new RulesConfig(false, explain, disabled, runtimeFilterBytes, rethrowPlanningErrors);
  }
}
