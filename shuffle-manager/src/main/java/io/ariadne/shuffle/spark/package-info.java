/**
 * Shuffles of columns through Spark's own shuffle manager, or one of ours: {@link
 * io.ariadne.shuffle.spark.BlockShuffle} on the driver, {@link
 * io.ariadne.shuffle.spark.BlockSerializer} between Spark's writers and readers and the bytes.
 *
 * <p>A record of such a shuffle is a block, whose bytes Spark only moves; a shuffle manager of ours
 * takes batches instead ({@link io.ariadne.shuffle.spark.MapRows}) and gives rows that it holds
 * ({@link io.ariadne.shuffle.spark.BlockInput}). What is counted as records, in Spark's figures,
 * are rows. May depend on {@code columnar}, {@code bridge.node} and Spark. Knows nothing of what is
 * in a block.
 */
package io.ariadne.shuffle.spark;
