/**
 * The exchange as Spark sees it: shuffles whose records are blocks or batches of columns.
 *
 * <ul>
 *   <li>{@link io.ariadne.shuffle.spark.BlockShuffle}, on Spark's driver, registers a shuffle.
 *   <li>{@link io.ariadne.shuffle.spark.MapOutputWrite} and {@link
 *       io.ariadne.shuffle.spark.ReduceInput}, in tasks, turn batches into records and records into
 *       batches.
 *   <li>{@link io.ariadne.shuffle.spark.BlockSerializer} writes blocks to the streams of Spark's
 *       writers and reads them from those of Spark's readers.
 *   <li>{@link io.ariadne.shuffle.spark.InMemoryShuffleManager}, with its writer, reader and block
 *       resolver, keeps map outputs in memory.
 * </ul>
 *
 * <p>Spark's metrics count rows as records. The only package of its module that depends on Spark.
 * May also depend on {@code bridge}, {@code columnar}, {@code event}, {@code executor}, {@code
 * memory}, {@code operator.exchange} and the other packages of {@code shuffle}.
 */
package io.ariadne.shuffle.spark;
