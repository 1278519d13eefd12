/**
 * Translations of Spark's expressions and attributes, node by node, to the runtime's plan nodes.
 *
 * <p>Each translation returns a {@link io.ariadne.rules.exec.translation.NodeConversion}: the plan
 * node, or the reasons why there is none. The same code decides at planning, over {@linkplain
 * io.ariadne.rules.exec.translation.AttributeSchemas#placeholder placeholders} of the inputs, and
 * translates for execution.
 *
 * <p>May depend on {@code rules.expression}, {@code plan} and {@code bridge}. Knows neither
 * Ariadne's nodes in Spark's plans nor tasks.
 */
package io.ariadne.rules.exec.translation;
