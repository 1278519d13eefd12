/**
 * Moves batches out of memory and back. Code that keeps batches adds them to a {@link
 * io.ariadne.spill.SpillSpace}. {@link io.ariadne.spill.SpillController} is one: it watches a pool
 * and moves {@link io.ariadne.spill.SpillableBatch}es, in the order of an {@link
 * io.ariadne.spill.EvictionPolicy}, to a {@link io.ariadne.spill.SpillStore}, the tier below.
 *
 * <p>May depend on {@code columnar} and {@code memory}. Knows nothing of operators, plans or tasks:
 * a batch carries its {@link io.ariadne.spill.SpillPlacement} as a number.
 */
package io.ariadne.spill;
