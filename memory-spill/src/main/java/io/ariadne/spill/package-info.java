/**
 * How batches leave memory and come back: whoever keeps batches puts them into a {@link
 * io.ariadne.spill.SpillSpace}. {@link io.ariadne.spill.SpillController} is one: it watches a pool
 * and moves {@link io.ariadne.spill.SpillableBatch}es, which an {@link
 * io.ariadne.spill.EvictionPolicy} chooses, to a {@link io.ariadne.spill.SpillStore}, the tier
 * below.
 *
 * <p>May depend on {@code columnar} and {@code memory}. Knows nothing of operators, plans or tasks:
 * a batch carries its {@link io.ariadne.spill.SpillPlacement} as a number.
 */
package io.ariadne.spill;
