/**
 * Concatenation of batches: {@link io.ariadne.operator.concat.CoalesceOperatorFactory} makes larger
 * batches of small ones, {@link io.ariadne.operator.concat.ColumnConcatenator} concatenates rows of
 * several columns.
 *
 * <p>May depend on {@code operator}, {@code kernel}, {@code backend} and {@code columnar}.
 */
package io.ariadne.operator.concat;
