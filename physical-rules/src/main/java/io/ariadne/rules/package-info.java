/**
 * The planner rules: which nodes of Spark's plan Ariadne replaces, and why it does not replace the
 * other nodes.
 *
 * <p>Main types: {@link io.ariadne.rules.AriadneColumnarRule} (what Spark calls), {@link
 * io.ariadne.rules.PlanTagger} (decides), {@link io.ariadne.rules.PlanTag} (what was decided),
 * {@link io.ariadne.rules.NodeRules} (the operators, as data), {@link
 * io.ariadne.rules.TransitionCost} (the cost rule), {@link io.ariadne.rules.PlanExplanation} (all
 * of it as text) and {@link io.ariadne.rules.RuntimeFilterRule} (which exchanges drop rows).
 *
 * <p>May depend on Spark SQL, {@code rules.expression}, {@code rules.exec}, {@code rules.filter}
 * and {@code bridge}. Reads no settings itself: it is given a {@link io.ariadne.rules.RulesConfig}.
 * Knows nothing of tasks, memory or kernels.
 */
package io.ariadne.rules;
