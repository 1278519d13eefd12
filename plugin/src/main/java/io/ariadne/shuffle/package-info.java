/**
 * Ariadne's shuffle manager: {@link io.ariadne.shuffle.AriadneShuffleManager}, whose name users
 * give to Spark, and what it makes of Spark's contracts of writers, readers and served blocks.
 *
 * <p>May depend on Spark, {@code bridge}, {@code bridge.shuffle}, {@code columnar}, {@code
 * shuffle.catalog}, {@code shuffle.format}, {@code event}, {@code executor} and {@code
 * plugin.config}. Passes rows of columns on, as batches or as blocks, and knows nothing of what is
 * in either.
 */
package io.ariadne.shuffle;
