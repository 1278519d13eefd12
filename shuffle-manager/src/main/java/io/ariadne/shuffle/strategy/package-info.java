/**
 * How rows get from map tasks to reduce tasks ({@link
 * io.ariadne.shuffle.strategy.ShuffleStrategy}): read where map tasks have left them, or copied and
 * merged before that by {@link io.ariadne.shuffle.strategy.MapOutputMerger}. May depend on {@code
 * shuffle.catalog}, which has the rows, and {@code shuffle.transport}, which moves them. Knows
 * nothing of Spark.
 */
package io.ariadne.shuffle.strategy;
