/**
 * Finds the pairs of rows with equal keys: {@link io.ariadne.kernel.join.JoinRowsKernel}.
 *
 * <p>May depend on {@code backend}, {@code kernel.abi}, {@code columnar} and {@code error}. Knows
 * nothing of operators, nor of the hash tables that have numbered the keys.
 */
package io.ariadne.kernel.join;
