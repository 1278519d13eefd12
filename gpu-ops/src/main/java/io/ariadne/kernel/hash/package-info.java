/**
 * Hash tables of the kernels as Java sees them: {@link io.ariadne.kernel.hash.GroupTable}.
 *
 * <p>May depend on {@code backend}, {@code kernel.abi}, {@code columnar} and {@code error}. Knows
 * nothing of aggregates or operators.
 */
package io.ariadne.kernel.hash;
