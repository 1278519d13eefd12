/**
 * Spark's row-wise expressions and aggregates translated into Ariadne's, one small registry per
 * expression family.
 *
 * <p>Main types: {@link io.ariadne.rules.expression.ExpressionRules} (what is translated, as data),
 * {@link io.ariadne.rules.expression.ExpressionConverter} (the walk over one expression), {@link
 * io.ariadne.rules.expression.TaggedExpression} (where each part runs and why) and {@link
 * io.ariadne.rules.expression.AggregateConverter}.
 *
 * <p>May depend on Spark's Catalyst, {@code expression}, {@code columnar.type} and {@code bridge}.
 * Knows nothing of plans, tasks or settings beyond {@link
 * io.ariadne.rules.expression.ConversionScope}.
 */
package io.ariadne.rules.expression;
