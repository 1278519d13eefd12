/**
 * The contracts by which batches leave memory and come back: {@link
 * io.ariadne.spill.SpillableBatch} is a batch that may be moved, {@link
 * io.ariadne.spill.EvictionPolicy} says which goes first, {@link io.ariadne.spill.SpillStore} is
 * the tier below memory.
 *
 * <p>May depend on {@code columnar} and {@code memory}. Knows nothing of operators, plans, tasks or
 * threads: a batch carries its distance to use as a number.
 */
package io.ariadne.spill;
