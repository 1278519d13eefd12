/**
 * Runs Spark's own expression code inside Ariadne's pipelines: {@link
 * io.ariadne.bridge.expression.SparkExpressionFunction} computes a column, {@link
 * io.ariadne.bridge.expression.RowReplay} raises the error of one row.
 *
 * <p>May depend on {@code columnar}, the other packages of the bridge and Catalyst. Knows nothing
 * of Ariadne's own expressions or of which expressions have kernels.
 */
package io.ariadne.bridge.expression;
