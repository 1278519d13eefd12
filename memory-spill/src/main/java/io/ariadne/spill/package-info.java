/**
 * Moves batches out of memory and back. Code that keeps batches between two uses adds them to a
 * {@link io.ariadne.spill.SpillSpace}, which {@link io.ariadne.spill.SpillController} implements.
 * The controller watches a pool. It moves {@link io.ariadne.spill.SpillableBatch}es to a {@link
 * io.ariadne.spill.SpillStore}, the tier below, in the order of an {@link
 * io.ariadne.spill.EvictionPolicy}.
 *
 * <p>May depend on {@code columnar} and {@code memory}. Knows nothing of operators, plans or tasks:
 * a batch carries its {@link io.ariadne.spill.SpillPlacement} as a number.
 */
package io.ariadne.spill;
