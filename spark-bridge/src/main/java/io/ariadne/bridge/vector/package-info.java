/**
 * Presents Ariadne's columns to Spark: {@link io.ariadne.bridge.vector.AriadneColumnVector}, and
 * passes whole batches to Spark and back: {@link io.ariadne.bridge.vector.SparkBatches}.
 *
 * <p>May depend on {@code columnar}, {@code bridge.type} and Spark's vectors. Knows nothing of
 * Spark's own vector classes.
 */
package io.ariadne.bridge.vector;
