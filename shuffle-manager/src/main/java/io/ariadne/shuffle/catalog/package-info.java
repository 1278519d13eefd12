/**
 * Map outputs in the memory tiers of this process: {@link io.ariadne.shuffle.catalog.MapOutputs}
 * owns them, {@link io.ariadne.shuffle.catalog.MapOutputWriter} writes one, {@link
 * io.ariadne.shuffle.catalog.MapOutputReader} reads one. {@link
 * io.ariadne.shuffle.catalog.MergeRound} copies rows of many into batches of their blocks, which
 * {@link io.ariadne.shuffle.catalog.MergedReader} reads.
 *
 * <p>A map output is the batches of one attempt of a map task, each with its rows in the order of
 * their partitions and the row at which each partition starts. They are spillable: map outputs go
 * to disk, and are read back, like other spilled batches. May depend on {@code columnar}, {@code
 * columnar.concat}, {@code memory} and {@code spill}. Knows nothing of blocks, transports or
 * callers.
 */
package io.ariadne.shuffle.catalog;
