/**
 * Typed row-wise expressions ({@link io.ariadne.expression.Expression}) and aggregates, and their
 * compilation to tile programs.
 *
 * <p>May depend on {@code columnar}, {@code kernel} and {@code backend}. Knows nothing of Spark's
 * expression classes or of plans.
 */
package io.ariadne.expression;
