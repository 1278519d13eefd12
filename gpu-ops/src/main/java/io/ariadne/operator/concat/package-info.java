/**
 * Concatenation of small batches: {@link io.ariadne.operator.concat.CoalesceOperatorFactory} makes
 * larger batches of small ones. {@code columnar.concat} concatenates their columns.
 *
 * <p>May depend on {@code operator}, {@code kernel}, {@code backend} and {@code columnar}.
 */
package io.ariadne.operator.concat;
