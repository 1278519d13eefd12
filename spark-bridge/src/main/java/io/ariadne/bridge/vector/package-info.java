/**
 * Ariadne's columns seen by Spark: {@link io.ariadne.bridge.vector.AriadneColumnVector}, and whole
 * batches to Spark and back in {@link io.ariadne.bridge.vector.SparkBatches}.
 *
 * <p>May depend on {@code columnar}, {@code bridge.type} and Spark's vectors. Knows nothing of
 * Spark's own vector classes.
 */
package io.ariadne.bridge.vector;
