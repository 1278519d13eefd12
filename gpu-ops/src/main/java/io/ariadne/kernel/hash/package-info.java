/**
 * Java access to the hash tables of kernels: {@link io.ariadne.kernel.hash.GroupTable}.
 *
 * <p>May depend on {@code backend}, {@code kernel.abi}, {@code columnar} and {@code error}. Knows
 * nothing of aggregates or operators.
 */
package io.ariadne.kernel.hash;
