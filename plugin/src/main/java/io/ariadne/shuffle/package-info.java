/**
 * Ariadne's shuffle manager: {@link io.ariadne.shuffle.AriadneShuffleManager}, whose name users
 * give to Spark, and what it makes of Spark's contracts of writers, readers and served blocks.
 *
 * <p>May depend on Spark, {@code bridge.shuffle}, {@code shuffle.catalog}, {@code shuffle.format},
 * {@code executor} and {@code plugin.config}. Knows nothing of what is in a block.
 */
package io.ariadne.shuffle;
