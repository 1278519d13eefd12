/**
 * The map outputs this process keeps in the tiers: {@link io.ariadne.shuffle.catalog.MapOutputs}
 * knows them, {@link io.ariadne.shuffle.catalog.MapOutputWriter} makes one, {@link
 * io.ariadne.shuffle.catalog.MapOutputReader} reads one.
 *
 * <p>A map output is the blocks of one attempt of a map task. Their bytes lie behind one another in
 * segments, of which each rests in the spill space as a batch of one column of words, so that map
 * outputs go to disk, and come back, as all that rests. May depend on {@code columnar}, {@code
 * memory} and {@code spill}. Knows nothing of what is in a block, of transports or of who asks.
 */
package io.ariadne.shuffle.catalog;
