/**
 * Builds columns row by row in host memory: {@link io.ariadne.columnar.builder.ColumnBuilder}, one
 * subclass per layout, and {@link io.ariadne.columnar.builder.BatchBuilder} for whole batches.
 *
 * <p>May depend on {@code columnar}, {@code columnar.type}, {@code columnar.buffer} and {@code
 * error}. Knows nothing of the source of the values.
 */
package io.ariadne.columnar.builder;
