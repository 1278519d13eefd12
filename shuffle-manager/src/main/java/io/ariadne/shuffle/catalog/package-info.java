/**
 * The map outputs this process keeps in the tiers: {@link io.ariadne.shuffle.catalog.MapOutputs}
 * knows them, {@link io.ariadne.shuffle.catalog.MapOutputWriter} makes one, {@link
 * io.ariadne.shuffle.catalog.MapOutputReader} reads one.
 *
 * <p>A map output is the batches of one attempt of a map task, each with its rows in the order of
 * their partitions and the row at which each partition starts. They rest in the spill space, so
 * that map outputs go to disk, and come back, as all that rests. May depend on {@code columnar},
 * {@code memory}, {@code spill} and {@code columnar.concat}. Knows nothing of blocks, of transports
 * or of who asks.
 */
package io.ariadne.shuffle.catalog;
