/**
 * Record batches, columns and the interfaces through which batches enter a pipeline: {@link
 * io.ariadne.columnar.RecordBatch}, {@link io.ariadne.columnar.ColumnVector}, {@link
 * io.ariadne.columnar.BatchSource}, {@link io.ariadne.columnar.ColumnFunction}.
 *
 * <p>May depend on {@code columnar.type}, {@code columnar.buffer} and {@code error}. Knows nothing
 * of Spark, kernels or spilling.
 */
package io.ariadne.columnar;
